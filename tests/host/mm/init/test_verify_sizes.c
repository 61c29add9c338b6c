/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptors of other sizes, and the types of pageblocks. */
#include "mm/init/verify_pageblocks.h"
#include "tests/host/verify_world.h"

static uint64_t *descriptor(struct world *w, uint64_t pfn, uint32_t bytes)
{
	uint8_t *section = (uint8_t *)page_of(w, pfn / SECTION_PAGES * SECTION_PAGES);

	return (uint64_t *)(section + pfn % SECTION_PAGES * bytes);
}

static void naive_descriptors(struct world *w, uint32_t bytes)
{
	for (uint64_t i = 0; i < w->fake.memmap.count; i++)
		for (uint64_t n = 0, pfn = w->fake.memmap.sections[i].section * SECTION_PAGES;
		     n < SECTION_PAGES; n++, pfn++) {
			uint64_t *word = descriptor(w, pfn, bytes), words[7] = { 0 };
			struct page page;

			naive_page(w, pfn, &page);
			words[0] = page.flags;
			words[1] = 0x1ffffffffull;
			words[2] = words[3] = (uint64_t)(uintptr_t)&word[2];
			memcpy(word, words, bytes);
		}
}

static void check_descriptor_bits(struct world *w, uint32_t bytes, uint64_t pfn)
{
	static const char *const fields[] = { "other", "kind", "section", "zone", "node" };
	static const unsigned bits[] = { 3, 11, 24, 50, 63 };
	struct verify_totals totals;

	for (unsigned i = 0; i < bytes / 8; i++) {
		for (unsigned j = 0; j < 5; j++) {
			const char *field = i == 0 ? fields[j] :
					    i == 1 && bits[j] >= 32 ? "refcount" : "other";

			descriptor(w, pfn, bytes)[i] ^= 1ull << bits[j];
			verify_totals_init(&totals);
			verify_sized(&w->job, bytes, 0, w->fake.memmap.count, &totals);
			descriptor(w, pfn, bytes)[i] ^= 1ull << bits[j];
			assert_int_equal(totals.mismatches, 1);
			assert_int_equal(totals.first_bad_pfn, pfn);
			assert_string_equal(totals.first_bad_field, field);
		}
	}
}

static void test_descriptors_of_all_sizes(void **unused)
{
	static const uint32_t sizes[] = { 56, 40, 32, 16, 8 };

	(void)unused;
	for (unsigned i = 0; i < 5; i++) {
		struct world *w = world_new();
		uint64_t counts[FRAME_KINDS];
		struct verify_totals totals;

		fake_ram(&w->topology, 30, 4000, 0);
		fake_ram(&w->topology, 33 * SECTION_PAGES + 5, 33 * SECTION_PAGES + 700, 1);
		range_list_add(&w->reserved, 100, 101);
		world_build(w, counts);
		naive_descriptors(w, sizes[i]);
		verify_totals_init(&totals);
		verify_sized(&w->job, sizes[i], 0, w->fake.memmap.count, &totals);
		assert_int_equal(totals.mismatches, 0);
		assert_counts(&totals, counts);
		check_descriptor_bits(w, sizes[i], 100);
		check_descriptor_bits(w, sizes[i], 33 * SECTION_PAGES + 699);
		world_free(w);
	}
}

static void test_pageblocks_with_ram(void **unused)
{
	static uint8_t types[40 * 64];
	uint64_t counts[FRAME_KINDS], expected = 0, bad;
	struct world *w = world_usual(counts);
	bool is_ram;

	(void)unused;
	memset(types, 0xff, sizeof(types));
	for (uint64_t pfn = 0; pfn < 40 * SECTION_PAGES; pfn++) {
		naive_node(&w->topology, pfn, &is_ram);
		if (is_ram && types[pfn / 512] == 0xff) {
			types[pfn / 512] = 1;
			expected++;
		}
	}
	assert_int_equal(verify_expected_pageblocks(&w->topology), expected);
	assert_int_equal(verify_pageblocks(&w->job, types, &bad), expected);
	assert_true(bad == UINT64_MAX);
	types[50000 / 512] = 0xff; /* B14 */
	assert_int_equal(verify_pageblocks(&w->job, types, &bad), expected - 1);
	assert_int_equal(bad, 50000 / 512 * 512);
	types[45000 / 512] = 1; /* a hole: the sum is right again */
	assert_int_equal(verify_pageblocks(&w->job, types, &bad), expected);
	assert_int_equal(bad, 45000 / 512 * 512);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_descriptors_of_all_sizes),
		cmocka_unit_test(test_pageblocks_with_ram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
