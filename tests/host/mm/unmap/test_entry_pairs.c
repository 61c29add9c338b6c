/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/minmax.h"
#include "mm/unmap/entry_pairs.h"

static void partners_are_mutual(void **state)
{
	struct entry_pairs pairs;
	uint64_t alone = 0, sum = 0;

	(void)state;
	for (uint64_t entries = 1; entries < 300; entries++)
		for (uint64_t seed = 0; seed < 3; seed++) {
			pairs = entry_pairs(entries, seed);
			for (uint64_t i = 0; i < entries; i++) {
				uint64_t partner = entry_partner(&pairs, i);

				assert_true(partner < entries);
				assert_int_equal(entry_partner(&pairs, partner), i);
				alone += partner == i;
			}
		}
	assert_int_equal(alone, 150 * 3); /* one of each odd number */
	/* far away: in a huge mapping the mean distance is a third of it */
	pairs = entry_pairs(100000000, 5);
	for (uint64_t i = 0; i < 3000; i++) {
		uint64_t entry = i * 33331;
		uint64_t partner = entry_partner(&pairs, entry);

		assert_int_equal(entry_partner(&pairs, partner), entry);
		sum += abs_diff_u64(partner, entry);
	}
	assert_in_range(sum / 3000, 32000000, 35000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partners_are_mutual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
