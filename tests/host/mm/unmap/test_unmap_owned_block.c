/* SPDX-License-Identifier: GPL-2.0-only */
/* Way `owned`, one block: what its pages become, and whose faults are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mm/buddy/buddy_census.h"
#include "mm/unmap/unmap_owned_block.h"
#include "mm/unmap/unmap_owned_state.h"
#include "tests/host/buddy_fixture.h"
#include "tests/host/random.h"

enum { BLOCK_PFN = 2 * SECTION_PAGES + 5 * BLOCK_PAGES };

/* The zones of two nodes with one block of allocated pages, and nothing free. */
struct one_block {
	struct buddy_fixture f;
	struct page_allocator allocator;
	void *memory;
	struct whole_blocks whole;
};

/* Pages with bits in `other` are of node 1, which spans the same addresses. */
static struct one_block *block_open(const struct block_bits *other, uint32_t order)
{
	static const uint64_t sections[] = { 2 };
	struct one_block *b = calloc(1, sizeof(*b));

	fixture_open(&b->f, sections, 1);
	for (uint32_t node = 2; node-- > 0;)
		fixture_zone(&b->f, node, BLOCK_PFN, BLOCK_PFN + BLOCK_PAGES);
	for (uint64_t i = 0; i < BLOCK_PAGES; i++) {
		struct page *page = b->f.base + BLOCK_PFN + i;

		if (other && other->words[i / 64] >> i % 64 & 1)
			fixture_page(b->f.base, BLOCK_PFN + i, 1, 0, 1);
		page->refcount = i % (1u << order) == 0;
		page->index = page->refcount ? order : 0;
	}
	b->allocator = (struct page_allocator){ .buddy = b->f.buddy,
						.memmap = &b->f.fake.memmap, .cpu_count = 2,
						.node_cpus = { 1, 1 }, .irq = IRQ_GUARD_NONE };
	b->memory = aligned_alloc(128, (page_allocator_bytes(&b->allocator) + 127) & ~127ull);
	page_allocator_init(&b->allocator, PCP_NONE, b->memory);
	return b;
}

static void block_close(struct one_block *b)
{
	free(b->memory);
	fixture_close(&b->f);
	free(b);
}

static struct buddy_census census_of(struct one_block *b)
{
	struct buddy_census census;

	buddy_census(b->f.buddy, &b->f.fake.memmap, &census);
	assert_int_equal(census.faults, 0);
	assert_int_equal(b->f.buddy->double_frees, 0);
	assert_int_equal(b->f.buddy->poison_reads, 0);
	return census;
}

static void free_bits(struct one_block *b, const struct block_bits *bits, uint32_t order)
{
	struct block_bits copy = *bits;

	unmap_owned_block(&b->allocator, 1, BLOCK_PFN, order, &copy, &b->whole);
	unmap_owned_flush(&b->allocator, &b->whole);
}

static uint64_t lock_holds(const struct one_block *b)
{
	return b->f.buddy->zones[0][ZONE_DMA32].lock.acquisitions +
	       b->f.buddy->zones[1][ZONE_DMA32].lock.acquisitions;
}

/* The same pages freed one by one, in another order. */
static struct buddy_census one_by_one(const struct block_bits *other, const struct block_bits *bits,
				      uint32_t order)
{
	struct one_block *b = block_open(other, order);
	struct buddy_census census;

	for (uint64_t n = 0; n < BLOCK_PAGES; n++) {
		uint64_t i = n * 389 % BLOCK_PAGES;

		if (bits->words[i / 64] >> i % 64 & 1)
			page_free(&b->allocator, 0, BLOCK_PFN + i, order);
	}
	census = census_of(b);
	block_close(b);
	return census;
}

static void assert_as_one_by_one(const struct block_bits *other, const struct block_bits *bits,
				 uint32_t order)
{
	struct buddy_census expected = one_by_one(other, bits, order), found;
	struct one_block *b = block_open(other, order);

	free_bits(b, bits, order);
	found = census_of(b);
	assert_memory_equal(found.blocks, expected.blocks, sizeof(found.blocks));
	assert_true(found.digest == expected.digest);
	assert_int_equal(b->allocator.fault_count, 0);
	assert_int_equal(page_allocator_stats(&b->allocator).frees, found.free_pages >> order);
	for (uint64_t i = 0; i < BLOCK_PAGES; i++) {
		bool freed = bits->words[(i & ~((1ull << order) - 1)) / 64] >>
				     (i & ~((1ull << order) - 1)) % 64 & 1;

		if (!freed && i % (1u << order) == 0)
			assert_int_equal(b->f.base[BLOCK_PFN + i].index, order);
		else
			assert_int_equal(b->f.base[BLOCK_PFN + i].index, 0);
	}
	block_close(b);
}

/* Words of ones, of noughts, and mixed ones: runs of all lengths at all places. */
static struct block_bits random_bits(uint64_t *seed)
{
	struct block_bits bits = { 0 };

	for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
		uint64_t kind = random_next(seed) % 4, word = random_next(seed);

		bits.words[i] = kind == 0 ? ~0ull : kind == 1 ? 0 : kind == 2 ? word :
				word | random_next(seed) | random_next(seed);
	}
	return bits;
}

static void any_pages_of_a_block(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 40; i++) {
		struct block_bits bits = random_bits(&seed), other = random_bits(&seed);

		assert_as_one_by_one(NULL, &bits, 0);
		assert_as_one_by_one(&other, &bits, 0);
	}
	for (uint64_t i = 0; i < BLOCK_PAGES; i += 85) {
		struct block_bits bits = { 0 };

		bits.words[i / 64] = 1ull << i % 64;
		assert_as_one_by_one(NULL, &bits, 0);
	}
}

static void huge_pages_of_a_block(void **state)
{
	struct block_bits bits = { 0 };

	(void)state;
	bits.words[0] = 1;
	assert_as_one_by_one(NULL, &bits, PAGEBLOCK_ORDER);
	bits.words[BLOCK_WORDS / 2] = 1;
	assert_as_one_by_one(NULL, &bits, PAGEBLOCK_ORDER);
	bits.words[0] = 0;
	assert_as_one_by_one(NULL, &bits, PAGEBLOCK_ORDER);
}

/* A block is one free under one hold, a mixed one of one zone no more. */
static void one_hold(void **state)
{
	struct block_bits bits;
	struct one_block *b = block_open(NULL, 0);

	(void)state;
	memset(&bits, 0, sizeof(bits));
	memset(bits.words, 0xff, sizeof(bits.words));
	unmap_owned_block(&b->allocator, 1, BLOCK_PFN, 0, &bits, &b->whole);
	assert_int_equal(lock_holds(b), 0);
	unmap_owned_flush(&b->allocator, &b->whole);
	assert_int_equal(lock_holds(b), 1);
	assert_int_equal(census_of(b).blocks[ORDER_MAX], 1);
	block_close(b);
	b = block_open(NULL, 0);
	memset(bits.words, 0x77, sizeof(bits.words));
	memset(bits.twice, 0, sizeof(bits.twice));
	free_bits(b, &bits, 0);
	assert_int_equal(lock_holds(b), 1);
	block_close(b);
}

/* The page at `bad` is refused and named; the others are free. */
static void assert_named(struct one_block *b, uint64_t bad, enum free_fault_kind kind)
{
	struct page before = b->f.base[BLOCK_PFN + bad];
	struct block_bits bits;

	memset(&bits, 0, sizeof(bits));
	memset(bits.words, 0xff, sizeof(bits.words));
	free_bits(b, &bits, 0);
	assert_int_equal(b->allocator.fault_count, 1);
	assert_int_equal(b->allocator.fault.kind, kind);
	assert_int_equal(b->allocator.fault.pfn, BLOCK_PFN + bad);
	assert_int_equal(b->allocator.fault.cpu, 1);
	assert_memory_equal(&before, b->f.base + BLOCK_PFN + bad, sizeof(before));
	assert_int_equal(page_allocator_stats(&b->allocator).frees, BLOCK_PAGES - 1);
}

static void faults_in_a_block(void **state)
{
	static const uint64_t places[] = { 0, 1, 63, 64, 700, 1023 };

	(void)state;
	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct one_block *b = block_open(NULL, 0);
		struct page *page = b->f.base + BLOCK_PFN + places[i];

		page->refcount = 0;
		assert_named(b, places[i], FREE_FAULT_DOUBLE);
		assert_int_equal(census_of(b).free_pages, BLOCK_PAGES - 1);
		block_close(b);
		b = block_open(NULL, 0);
		page = b->f.base + BLOCK_PFN + places[i];
		page->flags |= PG_RESERVED;
		assert_named(b, places[i], FREE_FAULT_RESERVED);
		block_close(b);
		b = block_open(NULL, 0);
		page = b->f.base + BLOCK_PFN + places[i];
		memset(page, PAGE_POISON_BYTE, sizeof(*page));
		assert_named(b, places[i], FREE_FAULT_RESERVED);
		block_close(b);
		b = block_open(NULL, 0);
		b->f.base[BLOCK_PFN + places[i]].index = 1;
		assert_named(b, places[i], FREE_FAULT_ORDER);
		block_close(b);
	}
}

/* Found by two, it is free once. */
static void found_by_two(void **state)
{
	struct one_block *b = block_open(NULL, 0);
	struct block_bits bits;

	(void)state;
	memset(&bits, 0, sizeof(bits));
	memset(bits.words, 0xff, sizeof(bits.words));
	bits.twice[3] = 1ull << 9;
	free_bits(b, &bits, 0);
	assert_int_equal(b->allocator.fault_count, 1);
	assert_int_equal(b->allocator.fault.kind, FREE_FAULT_DOUBLE);
	assert_int_equal(b->allocator.fault.pfn, BLOCK_PFN + 3 * 64 + 9);
	assert_int_equal(census_of(b).blocks[ORDER_MAX], 1);
	block_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_pages_of_a_block),
		cmocka_unit_test(huge_pages_of_a_block),
		cmocka_unit_test(one_hold),
		cmocka_unit_test(faults_in_a_block),
		cmocka_unit_test(found_by_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
