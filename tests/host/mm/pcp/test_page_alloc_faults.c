/* SPDX-License-Identifier: GPL-2.0-only */
/* Frees that must not be: refused under every way, named, and without effect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/page_alloc_fixture.h"

static void assert_fault(struct page_world *w, enum free_fault_kind kind, uint64_t pfn,
			 uint32_t order)
{
	const struct free_fault *fault = &w->allocator.fault;

	assert_int_equal(w->allocator.fault_count, 1);
	assert_int_equal(fault->kind, kind);
	assert_int_equal(fault->pfn, pfn);
	assert_int_equal(fault->order, order);
	assert_int_equal(fault->cpu, 2);
	w->allocator.fault_count = 0;
}

static void assert_bad_free(struct page_world *w, enum free_fault_kind kind, uint64_t pfn,
			    uint32_t order)
{
	uint64_t frees = page_allocator_stats(&w->allocator).frees;

	page_free(&w->allocator, 2, pfn, order);
	assert_fault(w, kind, pfn, order);
	assert_int_equal(page_allocator_stats(&w->allocator).frees, frees);
}

static void test_double_frees(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	for_each_way(w, pcp)
		for (uint32_t order = 0; order < ORDER_COUNT; order++) {
			uint64_t pfn = page_alloc(&w->allocator, 0, 0, order);

			assert_true(pfn != BUDDY_NONE);
			if (order)
				assert_bad_free(w, FREE_FAULT_DOUBLE, pfn + 1, 0);
			page_free(&w->allocator, 1, pfn, order);
			assert_bad_free(w, FREE_FAULT_DOUBLE, pfn, order);
			assert_bad_free(w, FREE_FAULT_DOUBLE, pfn, 0);
			page_world_assert_restored(w);
			assert_bad_free(w, FREE_FAULT_DOUBLE, pfn, order);
		}
	page_world_close(w);
}

static void test_wrong_orders(void **unused)
{
	static const uint32_t wild[] = { 11, 63, 64, UINT32_MAX };
	struct page_world *w = page_world_open();

	(void)unused;
	for_each_way(w, pcp)
		for (uint32_t order = 0; order < ORDER_COUNT; order++) {
			uint64_t pfn = page_alloc(&w->allocator, 0, 0, order);

			for (uint32_t other = 0; other < ORDER_COUNT; other++)
				if (other != order)
					assert_bad_free(w, FREE_FAULT_ORDER, pfn, other);
			for (uint32_t i = 0; i < 4; i++)
				assert_bad_free(w, FREE_FAULT_ORDER, pfn, wild[i]);
			page_free(&w->allocator, 0, pfn, order);
			page_world_assert_restored(w);
		}
	page_world_close(w);
}

/* A hole, a reserved page, poison, a section without struct pages, the first frame behind memory,
 * one far behind, and the last of all. */
static void test_reserved_frees(void **unused)
{
	static const uint64_t pfns[] = {
		6501, 6500, 30000, 32768 + 5, ALLOC_END, 1ull << 40, UINT64_MAX,
	};
	struct page_world *w = page_world_open();

	(void)unused;
	for_each_way(w, pcp)
		for (uint32_t i = 0; i < sizeof(pfns) / sizeof(*pfns); i++) {
			assert_bad_free(w, FREE_FAULT_RESERVED, pfns[i], 0);
			assert_bad_free(w, FREE_FAULT_RESERVED, pfns[i], 3);
			page_free_many(&w->allocator, 2, &pfns[i], 1);
			assert_fault(w, FREE_FAULT_RESERVED, pfns[i], 0);
			page_world_assert_restored(w);
		}
	page_world_close(w);
}

/* Without a memmap to ask, what the zones span counts. */
static void test_without_memmap(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	w->allocator.memmap = NULL;
	for_each_way(w, pcp) {
		assert_bad_free(w, FREE_FAULT_RESERVED, ALLOC_END, 0);
		assert_bad_free(w, FREE_FAULT_RESERVED, 30000, 0);
		page_free(&w->allocator, 0, page_alloc(&w->allocator, 0, 1, 0), 0);
		assert_int_equal(w->allocator.fault_count, 0);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

/* The table of sections ends where the way's state, which is not 0, begins. */
static void test_behind_the_last_section(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	w->f.buddy->zones[1][ZONE_DMA32].end_pfn = 512 * SECTION_PAGES;
	page_world_begin(w, PCP_ORDER0);
	assert_bad_free(w, FREE_FAULT_RESERVED, 511 * SECTION_PAGES, 0);
	assert_bad_free(w, FREE_FAULT_RESERVED, 512 * SECTION_PAGES, 0);
	page_world_close(w);
}

/* The bad ones of a batch stay, the good ones go; the first fault is kept. */
static void test_bad_pages_in_a_batch(void **unused)
{
	struct page_world *w = page_world_open();

	(void)unused;
	for_each_way(w, pcp) {
		uint64_t pfns[40], block = page_alloc(&w->allocator, 0, 1, 2), single;

		assert_int_equal(page_alloc_many(&w->allocator, 0, 0, pfns, 40), 40);
		single = pfns[7];
		pfns[7] = block;
		page_free_many(&w->allocator, 2, pfns, 40);
		assert_fault(w, FREE_FAULT_ORDER, block, 0);
		assert_int_equal(page_allocator_stats(&w->allocator).frees, 39);

		pfns[0] = pfns[3] = pfns[39] = single;
		page_free_many(&w->allocator, 2, pfns, 40);
		assert_int_equal(w->allocator.fault_count, 39);
		assert_int_equal(w->allocator.fault.kind, FREE_FAULT_DOUBLE);
		assert_int_equal(w->allocator.fault.pfn, pfns[1]);
		assert_int_equal(page_allocator_stats(&w->allocator).frees, 40);
		w->allocator.fault_count = 0;
		page_free(&w->allocator, 0, block, 2);
		assert_int_equal(w->allocator.fault_count, 0);
		page_world_assert_restored(w);
	}
	page_world_close(w);
}

static void test_names(void **unused)
{
	(void)unused;
	for (enum free_fault_kind kind = 0; kind < FREE_FAULT_KINDS; kind++)
		assert_non_null(free_fault_name(kind));
	assert_string_equal(free_fault_name(FREE_FAULT_DOUBLE), "double free");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_double_frees),
		cmocka_unit_test(test_wrong_orders),
		cmocka_unit_test(test_reserved_frees),
		cmocka_unit_test(test_without_memmap),
		cmocka_unit_test(test_behind_the_last_section),
		cmocka_unit_test(test_bad_pages_in_a_batch),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
