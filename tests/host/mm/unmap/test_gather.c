/* SPDX-License-Identifier: GPL-2.0-only */
/* What is freed when, and in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/space_fixture.h"

enum { LOG_MAX = 40000, FULL = 8 + 19 * 510 };

/* A way of the allocator that writes down what it is asked to free, and frees it. */
static uint64_t freed[LOG_MAX];
static uint32_t freed_orders[LOG_MAX], freed_count, allocations;
static bool dry;

static uint64_t logged_alloc(struct page_allocator *allocator, uint32_t cpu, uint32_t node,
			     uint32_t order)
{
	(void)cpu;
	allocations++;
	return dry ? BUDDY_NONE : buddy_alloc_node(allocator->buddy, node, order);
}

static void logged_free(struct page_allocator *allocator, uint32_t cpu, uint64_t pfn,
			uint32_t order)
{
	assert_int_equal(cpu, 1);
	assert_true(freed_count < LOG_MAX);
	freed[freed_count] = pfn;
	freed_orders[freed_count++] = order;
	buddy_free(allocator->buddy, pfn, order);
}

static void logged_free_many(struct page_allocator *allocator, uint32_t cpu, const uint64_t *pfns,
			     uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		logged_free(allocator, cpu, pfns[i], 0);
}

static void nothing_kept(struct page_allocator *allocator, uint32_t cpu)
{
	(void)allocator;
	(void)cpu;
}

static const struct page_alloc_way logged_way = {
	.alloc = logged_alloc,
	.free = logged_free,
	.free_many = logged_free_many,
	.drain = nothing_kept,
};

/* `count` pages of an order, to be gathered. */
static uint64_t *take(struct space_fixture *s, uint32_t count, uint32_t order)
{
	uint64_t *pfns = calloc(count, sizeof(*pfns));

	dry = false;
	for (uint32_t i = 0; i < count; i++) {
		pfns[i] = page_alloc(&s->allocator, 1, i % 2, order);
		assert_true(pfns[i] != BUDDY_NONE);
	}
	allocations = freed_count = 0;
	return pfns;
}

static struct space_fixture *open_logged(struct gather *gather, uint32_t max_batches)
{
	struct space_fixture *s = space_fixture_open();

	space_describe(s, MAPPING_4K, 1);
	s->allocator.way = &logged_way;
	gather_begin(gather, &s->space, 1, 1, max_batches);
	return s;
}

static void assert_freed(const uint64_t *pfns, uint32_t first, uint32_t count, uint32_t order)
{
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(freed[first + i], pfns[i]);
		assert_int_equal(freed_orders[first + i], order);
	}
}

/* Linux 4.11: 8 in the structure, 19 batches of 510; everything again from the start after that. */
static void flushes_when_full(void **state)
{
	struct gather gather;
	struct space_fixture *s = open_logged(&gather, GATHER_BATCHES);
	uint64_t *pfns = take(s, 3 * FULL + 9, 0);

	(void)state;
	assert_int_equal(GATHER_BATCHES, 19);
	for (uint32_t i = 0; i < 3 * FULL + 9; i++) {
		gather_add(&gather, pfns[i], 0);
		assert_int_equal(freed_count, (i + 1) / FULL * FULL);
		assert_int_equal(gather.flushes, (i + 1) / FULL);
	}
	assert_int_equal(allocations, 19);
	gather_end(&gather);
	assert_int_equal(gather.flushes, 4);
	assert_int_equal(freed_count, 3 * FULL + 9 + 19);
	assert_freed(pfns, 0, 3 * FULL + 9, 0);
	assert_int_equal(gather.failures, 0);
	free(pfns);
	space_assert_free(s);
	space_fixture_close(s);
}

static void few_pages_need_no_batch(void **state)
{
	struct gather gather;
	struct space_fixture *s = open_logged(&gather, GATHER_BATCHES);
	uint64_t *pfns = take(s, 7, 0);

	(void)state;
	gather_flush(&gather);
	assert_int_equal(gather.flushes, 0);
	for (uint32_t i = 0; i < 7; i++)
		gather_add(&gather, pfns[i], 0);
	assert_int_equal(freed_count, 0);
	gather_end(&gather);
	assert_int_equal(freed_count, 7);
	assert_int_equal(allocations, 0);
	assert_int_equal(gather.flushes, 1);
	free(pfns);
	space_assert_free(s);
	space_fixture_close(s);
}

/* Without memory for batches the bundle does, as in Linux. */
static void without_memory(void **state)
{
	struct gather gather;
	struct space_fixture *s = open_logged(&gather, GATHER_BATCHES);
	uint64_t *pfns = take(s, 2000, 0);

	(void)state;
	dry = true;
	for (uint32_t i = 0; i < 100; i++)
		gather_add(&gather, pfns[i], 0);
	assert_int_equal(freed_count, 96);
	assert_int_equal(gather.failures, 12);
	dry = false;
	for (uint32_t i = 100; i < 600; i++)
		gather_add(&gather, pfns[i], 0);
	assert_int_equal(freed_count, 96);
	dry = true; /* one batch there is */
	for (uint32_t i = 600; i < 2000; i++)
		gather_add(&gather, pfns[i], 0);
	assert_int_equal(freed_count, 96 + 3 * 518);
	gather_end(&gather);
	assert_freed(pfns, 0, 2000, 0);
	assert_int_equal(freed_count, 2001);
	free(pfns);
	space_assert_free(s);
	space_fixture_close(s);
}

/* Pages of another size are not gathered beside the former [Linux 4.11
 * tlb_remove_check_page_size_change]. */
static void two_orders(void **state)
{
	struct gather gather;
	struct space_fixture *s = open_logged(&gather, GATHER_BATCHES);
	uint64_t *large = take(s, 20, 9), *small = take(s, 30, 0);

	(void)state;
	for (uint32_t i = 0; i < 20; i++)
		gather_add(&gather, large[i], 9);
	assert_int_equal(freed_count, 0);
	gather_add(&gather, small[0], 0);
	assert_int_equal(freed_count, 20);
	for (uint32_t i = 1; i < 30; i++)
		gather_add(&gather, small[i], 0);
	gather_end(&gather);
	assert_freed(large, 0, 20, 9);
	assert_freed(small, 20, 30, 0);
	assert_int_equal(gather.flushes, 2);
	free(large);
	free(small);
	space_assert_free(s);
	space_fixture_close(s);
}

/* ---- chains that others free ---- */

static uint64_t chain = BUDDY_NONE;
static bool accept;
static uint32_t offers;

static bool keep(void *context, uint64_t first_pfn)
{
	assert_ptr_equal(context, &chain);
	offers++;
	if (accept)
		chain = first_pfn;
	return accept;
}

static void chains_are_offered(void **state)
{
	struct gather gather;
	struct space_fixture *s = open_logged(&gather, 2);
	uint32_t full = 8 + 2 * 510;
	uint64_t *pfns = take(s, 5 * full, 0);

	(void)state;
	gather.queue = keep;
	gather.context = &chain;
	gather.threshold = 2 * 510;
	accept = true;
	offers = 0;
	for (uint32_t i = 0; i < full; i++)
		gather_add(&gather, pfns[i], 0);
	assert_int_equal(offers, 1);
	assert_freed(pfns, 0, 8, 0); /* the bundle is not part of it */
	assert_int_equal(freed_count, 8);
	gather_free_chain(&s->space, 1, chain);
	assert_freed(pfns + 8, 8, 510, 0);
	assert_freed(pfns + 518, 8 + 511, 510, 0); /* the batch itself in between */
	assert_int_equal(freed_count, full + 2);
	assert_int_equal(allocations, 2);

	accept = false; /* nobody has it: freed here, and the batches stay */
	for (uint32_t i = full; i < 2 * full; i++)
		gather_add(&gather, pfns[i], 0);
	assert_int_equal(offers, 2);
	assert_int_equal(freed_count, 2 * full + 2);
	assert_int_equal(allocations, 4);

	accept = true; /* below the threshold it is not offered */
	for (uint32_t i = 2 * full; i < 2 * full + 1019; i++)
		gather_add(&gather, pfns[i], 0);
	gather_flush(&gather);
	assert_int_equal(offers, 2);
	for (uint32_t i = 2 * full + 1019; i < 2 * full + 1019 + 1020; i++)
		gather_add(&gather, pfns[i], 0);
	gather_flush(&gather);
	assert_int_equal(offers, 3);
	gather_free_chain(&s->space, 1, chain);
	assert_int_equal(allocations, 4);
	for (uint32_t i = 2 * full + 1019 + 1020; i < 5 * full; i++)
		page_free(&s->allocator, 1, pfns[i], 0);
	gather_end(&gather);
	free(pfns);
	space_assert_free(s);
	space_fixture_close(s);
}

/* A page that is gathered twice is named when it is freed. */
static void twice(void **state)
{
	struct gather gather;
	struct space_fixture *s = open_logged(&gather, GATHER_BATCHES);
	uint64_t *pfns = take(s, 600, 0);

	(void)state;
	for (uint32_t i = 0; i < 600; i++)
		gather_add(&gather, i == 590 ? pfns[77] : pfns[i], 0);
	gather_end(&gather);
	assert_int_equal(s->allocator.fault_count, 1);
	assert_int_equal(s->allocator.fault.kind, FREE_FAULT_DOUBLE);
	assert_int_equal(s->allocator.fault.pfn, pfns[77]);
	assert_int_equal(s->allocator.fault.cpu, 1);
	s->allocator.fault_count = 0;
	page_free(&s->allocator, 1, pfns[590], 0);
	free(pfns);
	space_assert_free(s);
	space_fixture_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flushes_when_full),
		cmocka_unit_test(few_pages_need_no_batch),
		cmocka_unit_test(without_memory),
		cmocka_unit_test(two_orders),
		cmocka_unit_test(chains_are_offered),
		cmocka_unit_test(twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
