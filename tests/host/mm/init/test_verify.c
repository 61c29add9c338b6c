/* SPDX-License-Identifier: GPL-2.0-only */
/* Struct pages as they are after initialisation. */
#include "tests/host/random.h"
#include "tests/host/verify_world.h"

static uint64_t seed = 0xda942042e4dd58b5ull;

static void test_correct_memmap_passes(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_usual(counts);
	struct verify_totals totals = check(w), expected;

	(void)unused;
	verify_expected(&w->job, &expected);
	assert_counts(&totals, counts);
	assert_counts(&expected, counts);
	assert_int_equal(totals.mismatches, 0);
	assert_true(totals.first_bad_pfn == UINT64_MAX);
	assert_null(totals.first_bad_field);
	world_free(w);
}

static const char *field_of(unsigned word, unsigned bit)
{
	if (word == 6 && bit >= 32)
		return "refcount";
	if (word != 0)
		return "other";
	if (bit == 10 || bit == 11)
		return "kind";
	return bit >= 52 ? "node" : bit >= 49 ? "zone" : bit >= 24 ? "section" : "other";
}

/* Every bit of a struct page matters, at the borders of every kind of run. */
static void test_each_broken_bit_is_named(void **unused)
{
	static const uint64_t frames[] = {
		0, 158, 159, 255, 256, 4095, 4096, 32767, 32768, 39999, 40000, 50000, 1048575,
		1048576, 1048576 + SECTION_PAGES - 1,
	};
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_usual(counts);

	(void)unused;
	for (unsigned i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		uint64_t *words = (uint64_t *)page_of(w, frames[i]);

		for (unsigned bit = i % 3; bit < 512; bit += i < 2 ? 1 : 13) {
			unsigned word = bit / 64, at = bit % 64;
			struct verify_totals totals;

			words[word] ^= 1ull << at;
			verify_totals_init(&totals);
			for (uint64_t s = 0; s < w->fake.memmap.count; s++)
				if (w->fake.memmap.sections[s].section == frames[i] / SECTION_PAGES)
					verify_sections(&w->job, s, s + 1, &totals);
			words[word] ^= 1ull << at;
			assert_int_equal(totals.mismatches, 1);
			assert_int_equal(totals.first_bad_pfn, frames[i]);
			assert_string_equal(totals.first_bad_field, field_of(word, at));
		}
	}
	world_free(w);
}

static void test_kinds_are_counted_as_the_pages_claim(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_usual(counts);
	struct verify_totals totals;

	(void)unused;
	page_of(w, 20000)->flags |= PG_RESERVED;
	assert_names(w, 20000, "kind");
	totals = check(w);
	assert_int_equal(totals.pages[FRAME_FREE], counts[FRAME_FREE] - 1);
	assert_int_equal(totals.pages[FRAME_RESERVED], counts[FRAME_RESERVED] + 1);
	world_free(w);
}

/* The first page of a section was never initialised, as once in Linux [LKML January 2021]. */
static void test_poison_at_the_start_of_a_section(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_usual(counts);

	(void)unused;
	memset(page_of(w, 5 * SECTION_PAGES), PAGE_POISON_BYTE, sizeof(struct page));
	assert_names(w, 5 * SECTION_PAGES, "node");
	world_free(w);
}

static void test_lowest_bad_frame_wins(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_usual(counts);
	struct verify_totals sum, part;

	(void)unused;
	page_of(w, 60000)->refcount = 0;
	page_of(w, 300)->index = 1;
	page_of(w, 5 * SECTION_PAGES + 100)->mapping = 1;
	verify_totals_init(&sum);
	for (uint64_t s = w->fake.memmap.count; s-- > 0;) {
		verify_totals_init(&part);
		verify_sections(&w->job, s, s + 1, &part);
		verify_totals_add(&sum, &part);
	}
	assert_int_equal(sum.mismatches, 3);
	assert_int_equal(sum.first_bad_pfn, 300);
	assert_string_equal(sum.first_bad_field, "other");
	part = check(w);
	assert_memory_equal(&sum, &part, sizeof(sum));
	world_free(w);
}

/* Random RAM and reservations: the naive memmap must pass, with one node altered it must not. */
static void test_random_worlds_against_a_naive_model(void **unused)
{
	(void)unused;
	for (unsigned round = 0; round < 12; round++) {
		struct world *w = world_new();
		uint64_t counts[FRAME_KINDS], pfn = random_next(&seed) % 40000, bad;
		struct verify_totals totals, expected;

		for (unsigned i = 0; i < 8 && pfn < 5 * SECTION_PAGES; i++) {
			uint64_t end = pfn + 1 + random_next(&seed) % (i % 2 ? 30000 : 200);

			fake_ram(&w->topology, pfn, end, (uint32_t)(random_next(&seed) % 4));
			pfn = end + (random_next(&seed) % 3 ? random_next(&seed) % 20000 : 0);
		}
		for (unsigned i = 0; i < 12; i++) {
			uint64_t start = random_next(&seed) % (5 * SECTION_PAGES);

			range_list_add(&w->reserved, start, start + random_next(&seed) % 5000);
		}
		world_build(w, counts);
		totals = check(w);
		verify_expected(&w->job, &expected);
		assert_int_equal(totals.mismatches, 0);
		assert_counts(&totals, counts);
		assert_counts(&expected, counts);
		bad = w->fake.memmap.sections[random_next(&seed) % w->fake.memmap.count].section *
			      SECTION_PAGES + random_next(&seed) % SECTION_PAGES;
		page_of(w, bad)->flags ^= 1ull << PAGE_NODE_SHIFT;
		assert_names(w, bad, "node");
		world_free(w);
	}
}

/* A section that the memmap forgot shows in the sums, which are made without it. */
static void test_missing_section_shows_in_the_sums(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_usual(counts);
	struct verify_totals totals, expected;

	(void)unused;
	w->fake.memmap.count--;
	totals = check(w);
	verify_expected(&w->job, &expected);
	assert_counts(&expected, counts);
	assert_int_not_equal(totals.pages[FRAME_HOLE], expected.pages[FRAME_HOLE]);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_correct_memmap_passes),
		cmocka_unit_test(test_each_broken_bit_is_named),
		cmocka_unit_test(test_kinds_are_counted_as_the_pages_claim),
		cmocka_unit_test(test_poison_at_the_start_of_a_section),
		cmocka_unit_test(test_lowest_bad_frame_wins),
		cmocka_unit_test(test_random_worlds_against_a_naive_model),
		cmocka_unit_test(test_missing_section_shows_in_the_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
