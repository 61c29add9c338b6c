#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mm/buddy.h"
#include "mm/verify.h"
#include "tests/host/fake_memmap.h"

static uint64_t seed = 0xda942042e4dd58b5ull;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

struct world {
	struct topology topology;
	struct range storage[64];
	struct range_list reserved;
	struct fake_memmap fake;
	struct verify_job job;
};

static struct world *world_new(void)
{
	struct world *w = calloc(1, sizeof(*w));

	range_list_init(&w->reserved, w->storage, 64);
	return w;
}

static struct page *page_of(struct world *w, uint64_t pfn)
{
	return w->fake.memmap.base + pfn;
}

/* Node of a frame, looking at one frame after the other. */
static uint32_t naive_node(const struct topology *t, uint64_t pfn, bool *is_ram)
{
	uint64_t section = pfn / SECTION_PAGES;
	uint32_t next = NODE_NONE, previous = NODE_NONE;

	*is_ram = false;
	for (uint32_t i = 0; i < t->ram_count; i++) {
		const struct ram_range *r = &t->ram[i];

		if (pfn >= r->start_pfn && pfn < r->end_pfn) {
			*is_ram = true;
			return r->node;
		}
		if (r->end_pfn <= pfn && (r->end_pfn - 1) / SECTION_PAGES == section)
			previous = r->node;
		if (r->start_pfn > pfn && r->start_pfn / SECTION_PAGES == section &&
		    next == NODE_NONE)
			next = r->node;
	}
	return next != NODE_NONE ? next : previous;
}

static enum frame_kind naive_page(struct world *w, uint64_t pfn, struct page *page)
{
	bool is_ram, reserved = false;
	uint64_t node = naive_node(&w->topology, pfn, &is_ram);
	uint64_t zone = pfn < 0x1000 ? 0 : pfn < 0x100000 ? 1 : 2;
	uint64_t head = (uint64_t)(uintptr_t)page + 8;
	enum frame_kind kind;

	for (uint32_t i = 0; i < w->reserved.count; i++)
		reserved |= pfn >= w->storage[i].start && pfn < w->storage[i].end;
	kind = !is_ram ? FRAME_HOLE : reserved ? FRAME_RESERVED : FRAME_FREE;
	*page = (struct page){ .lru_next = head, .lru_prev = head, .mapcount = -1, .refcount = 1 };
	page->flags = (kind == FRAME_FREE ? 0 : kind == FRAME_RESERVED ? 1 << 10 : 1 << 11) |
		      (pfn >> 15) << 24 | zone << 49 | node << 52;
	return kind;
}

/* Initialises all frames by the naive model; counts them. */
static void world_build(struct world *w, uint64_t *counts)
{
	fake_memmap_open(&w->fake, 40 * SECTION_PAGES);
	fake_memmap_populate(&w->fake, &w->topology);
	w->job = (struct verify_job){ &w->fake.memmap, &w->topology, &w->reserved,
				       VERIFY_INITIALISED };
	memset(counts, 0, FRAME_KINDS * sizeof(*counts));
	for (uint64_t i = 0; i < w->fake.memmap.count; i++)
		for (uint64_t pfn = w->fake.memmap.sections[i].section * SECTION_PAGES, n = 0;
		     n < SECTION_PAGES; n++, pfn++)
			counts[naive_page(w, pfn, page_of(w, pfn))]++;
}

static void world_free(struct world *w)
{
	fake_memmap_close(&w->fake);
	free(w);
}

static struct verify_totals check(struct world *w)
{
	struct verify_totals totals;

	verify_totals_init(&totals);
	verify_sections(&w->job, 0, w->fake.memmap.count, &totals);
	return totals;
}

/*
 * A PC and more: a hole below 1 MiB, two nodes in one section, RAM on both sides of 4 GiB, a
 * section with a hole at both ends and another node right after it, reservations that reach over
 * the end of RAM.
 */
static struct world *world_usual(uint64_t *counts)
{
	struct world *w = world_new();

	fake_ram(&w->topology, 1, 159, 0);
	fake_ram(&w->topology, 256, 40000, 0);
	fake_ram(&w->topology, 50000, 65536, 1);
	fake_ram(&w->topology, 5 * SECTION_PAGES + 77, 6 * SECTION_PAGES - 5, 2);
	fake_ram(&w->topology, 6 * SECTION_PAGES, 6 * SECTION_PAGES + 9, 0);
	fake_ram(&w->topology, 1048576 - 300, 1048576 + 300, 1);
	range_list_add(&w->reserved, 0, 16);
	range_list_add(&w->reserved, 512, 8000);
	range_list_add(&w->reserved, 39999, 41000);
	range_list_add(&w->reserved, 49000, 50001);
	range_list_add(&w->reserved, 1048570, 1048580);
	world_build(w, counts);
	return w;
}

static void assert_counts(const struct verify_totals *totals, const uint64_t *counts)
{
	for (int kind = 0; kind < FRAME_KINDS; kind++)
		assert_int_equal(totals->pages[kind], counts[kind]);
}

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

static void assert_names(struct world *w, uint64_t pfn, const char *field)
{
	struct verify_totals totals = check(w);

	assert_int_equal(totals.mismatches, 1);
	assert_int_equal(totals.first_bad_pfn, pfn);
	assert_string_equal(totals.first_bad_field, field);
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
		uint64_t counts[FRAME_KINDS], pfn = next_random() % 40000, bad;
		struct verify_totals totals, expected;

		for (unsigned i = 0; i < 8 && pfn < 5 * SECTION_PAGES; i++) {
			uint64_t end = pfn + 1 + next_random() % (i % 2 ? 30000 : 200);

			fake_ram(&w->topology, pfn, end, (uint32_t)(next_random() % 4));
			pfn = end + (next_random() % 3 ? next_random() % 20000 : 0);
		}
		for (unsigned i = 0; i < 12; i++) {
			uint64_t start = next_random() % (5 * SECTION_PAGES);

			range_list_add(&w->reserved, start, start + next_random() % 5000);
		}
		world_build(w, counts);
		totals = check(w);
		verify_expected(&w->job, &expected);
		assert_int_equal(totals.mismatches, 0);
		assert_counts(&totals, counts);
		assert_counts(&expected, counts);
		bad = w->fake.memmap.sections[next_random() % w->fake.memmap.count].section *
			      SECTION_PAGES + next_random() % SECTION_PAGES;
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

/* ---- after the frames were freed ------------------------------------------------------------ */

static bool naive_free(struct world *w, uint64_t pfn)
{
	struct page page;
	bool is_ram;

	naive_node(&w->topology, pfn, &is_ram);
	return is_ram && naive_page(w, pfn, &page) == FRAME_FREE;
}

/* Whether [pfn, pfn + pages) is free, of one node and zone, and aligned. */
static bool naive_block(struct world *w, uint64_t pfn, uint64_t pages)
{
	uint64_t flags = page_of(w, pfn)->flags >> PAGE_ZONE_SHIFT;

	if (pfn % pages)
		return false;
	for (uint64_t i = 0; i < pages; i++)
		if (!naive_free(w, pfn + i) ||
		    page_of(w, pfn + i)->flags >> PAGE_ZONE_SHIFT != flags)
			return false;
	return true;
}

/* Frees [start, end) as the allocator leaves it, by trying the largest blocks first. */
static void naive_free_frames(struct world *w, uint64_t start, uint64_t end)
{
	for (uint64_t pfn = start; pfn < end;) {
		uint32_t order = 10;

		if (!naive_free(w, pfn)) {
			pfn++;
			continue;
		}
		while (!naive_block(w, pfn, 1ull << order))
			order--;
		for (uint64_t i = 0; i < 1ull << order; i++)
			page_of(w, pfn + i)->refcount = 0;
		page_of(w, pfn)->mapcount = -128;
		page_of(w, pfn)->private_data = order;
		page_of(w, pfn)->lru_next = 0x1000; /* in a list */
		page_of(w, pfn)->lru_prev = 0x2000;
		pfn += 1ull << order;
	}
}

/* Two sections: a border of nodes, reservations and a hole off any block's border, 16 MiB. */
static struct world *world_freed(uint64_t *counts)
{
	struct world *w = world_new();

	fake_ram(&w->topology, 3, 5000, 0);
	fake_ram(&w->topology, 5000, 9000, 1);
	fake_ram(&w->topology, 9100, SECTION_PAGES + 3000, 1);
	range_list_add(&w->reserved, 100, 101);
	range_list_add(&w->reserved, 9500, 9777);
	range_list_add(&w->reserved, SECTION_PAGES - 1, SECTION_PAGES);
	world_build(w, counts);
	naive_free_frames(w, 0, 2 * SECTION_PAGES);
	w->job.stage = VERIFY_FREED;
	return w;
}

static void test_freed_memmap_passes(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_freed(counts);
	struct verify_totals totals = check(w);

	(void)unused;
	assert_int_equal(totals.mismatches, 0);
	assert_counts(&totals, counts);
	w->job.stage = VERIFY_FREED_LAZY; /* nothing has to be lazy */
	assert_int_equal(check(w).mismatches, 0);
	w->job.stage = VERIFY_INITIALISED;
	assert_int_equal(check(w).mismatches, counts[FRAME_FREE]);
	assert_string_equal(check(w).first_bad_field, "refcount");
	world_free(w);
}

/* Heads are at 4, 8, 1024, 2048 ...; 1500 is inside a block. */
static void test_free_blocks_are_looked_at(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_freed(counts);

	(void)unused;
	page_of(w, 8)->private_data = 2;
	assert_names(w, 8, "order");
	page_of(w, 8)->private_data = 3;
	page_of(w, 1500)->mapcount = -128; /* a head inside a block */
	assert_names(w, 1500, "order");
	page_of(w, 1500)->mapcount = -1;
	page_of(w, 2048)->mapcount = -1; /* nobody's frames */
	assert_names(w, 2048, "order");
	page_of(w, 2048)->mapcount = -128;
	page_of(w, 3000)->refcount = 1; /* never freed */
	assert_names(w, 3000, "refcount");
	page_of(w, 3000)->refcount = 0;
	page_of(w, 3000)->lru_next ^= 8;
	assert_names(w, 3000, "other");
	page_of(w, 3000)->lru_next ^= 8;
	page_of(w, 9600)->refcount = 0; /* reserved, but freed */
	assert_names(w, 9600, "refcount");
	page_of(w, 9600)->refcount = 1;
	page_of(w, 1024)->flags |= PG_LAZY; /* not in a run that is not lazy */
	assert_names(w, 1024, "other");
	page_of(w, 1024)->flags &= ~(uint64_t)PG_LAZY;
	assert_int_equal(check(w).mismatches, 0);
	world_free(w);
}

/* Two free buddies that nobody merged. */
static void test_unmerged_buddies(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_freed(counts);
	struct verify_totals totals;

	(void)unused;
	for (uint64_t pfn = 2048; pfn < 3072; pfn += 512) {
		page_of(w, pfn)->mapcount = -128;
		page_of(w, pfn)->private_data = 9;
	}
	totals = check(w);
	assert_int_equal(totals.mismatches, 2);
	assert_int_equal(totals.first_bad_pfn, 2048);
	assert_string_equal(totals.first_bad_field, "order");
	world_free(w);
}

static void test_lazy_blocks(void **unused)
{
	uint64_t counts[FRAME_KINDS];
	struct world *w = world_freed(counts);
	struct verify_totals totals;

	(void)unused;
	w->job.stage = VERIFY_FREED_LAZY;
	page_of(w, 2048)->flags |= PG_LAZY;
	memset(page_of(w, 2049), PAGE_POISON_BYTE, 1023 * sizeof(struct page));
	totals = check(w);
	assert_int_equal(totals.mismatches, 0);
	assert_counts(&totals, counts);
	page_of(w, 3071)->private_data = 0; /* somebody has touched it */
	assert_names(w, 3071, "poison");
	page_of(w, 3071)->private_data = UINT64_MAX;
	page_of(w, 2048)->flags &= ~(uint64_t)PG_LAZY; /* the head says that it is filled */
	assert_int_equal(check(w).mismatches, 1023);
	page_of(w, 2048)->flags |= PG_LAZY;
	page_of(w, 8)->flags |= PG_LAZY; /* only whole blocks of 4 MiB are lazy */
	assert_names(w, 8, "other");
	page_of(w, 8)->flags &= ~(uint64_t)PG_LAZY;
	w->job.stage = VERIFY_FREED;
	assert_int_equal(check(w).mismatches, 1024);
	world_free(w);
}

/* ---- descriptors of other sizes ------------------------------------------------------------- */

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

/* ---- pageblocks ----------------------------------------------------------------------------- */

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
		cmocka_unit_test(test_correct_memmap_passes),
		cmocka_unit_test(test_each_broken_bit_is_named),
		cmocka_unit_test(test_kinds_are_counted_as_the_pages_claim),
		cmocka_unit_test(test_poison_at_the_start_of_a_section),
		cmocka_unit_test(test_lowest_bad_frame_wins),
		cmocka_unit_test(test_random_worlds_against_a_naive_model),
		cmocka_unit_test(test_missing_section_shows_in_the_sums),
		cmocka_unit_test(test_freed_memmap_passes),
		cmocka_unit_test(test_free_blocks_are_looked_at),
		cmocka_unit_test(test_unmerged_buddies),
		cmocka_unit_test(test_lazy_blocks),
		cmocka_unit_test(test_descriptors_of_all_sizes),
		cmocka_unit_test(test_pageblocks_with_ram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
