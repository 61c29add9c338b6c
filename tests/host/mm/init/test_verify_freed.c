/* SPDX-License-Identifier: GPL-2.0-only */
/* Struct pages after the frames were freed: blocks, their order, lazy ones. */
#include "mm/buddy/buddy.h"
#include "tests/host/verify_world.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_freed_memmap_passes),
		cmocka_unit_test(test_free_blocks_are_looked_at),
		cmocka_unit_test(test_unmerged_buddies),
		cmocka_unit_test(test_lazy_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
