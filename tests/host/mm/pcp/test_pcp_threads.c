/* SPDX-License-Identifier: GPL-2.0-only */
/* The workloads of the experiment `pcp` on threads: also for the thread sanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/fake_machine.h"
#include "tests/host/pcp_fixture.h"

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
