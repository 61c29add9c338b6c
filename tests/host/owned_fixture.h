/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * A page allocator with way `owned` on four CPUs over
 *   node 0: a zone DMA of three blocks, too small to give any away; a zone DMA32 of 64 blocks
 *   node 1: a zone DMA32 of 32 blocks, no CPU
 * The state is allocated to measure, so that the sanitizer sees a byte too few; it begins at an odd
 * multiple of 64 bytes every other time.
 */
#include "mm/buddy/buddy_census.h"
#include "mm/pcp/owned.h"
#include "mm/pcp/page_alloc.h"
#include "tests/host/buddy_fixture.h"

enum {
	OWNED_CPUS = 4,
	DMA_FIRST = 1024, DMA_END = 4096,
	NODE0_FIRST = 65536, NODE0_END = 131072, /* sections 2 and 3 */
	NODE1_FIRST = 131072, NODE1_END = 163840, /* section 4 */
	NODE0_PAGES = NODE0_END - NODE0_FIRST + DMA_END - DMA_FIRST,
	ALL_PAGES = NODE0_PAGES + NODE1_END - NODE1_FIRST,
};

struct owned_world {
	struct buddy_fixture f;
	struct page_allocator allocator;
	void *memory, *state;
	struct buddy_census before;
	bool odd; /* kept from one to the next */
};

static inline void owned_open(struct owned_world *w)
{
	static const uint64_t sections[] = { 0, 2, 3, 4 };
	struct page_allocator *a = &w->allocator;
	bool odd = !w->odd;

	*w = (struct owned_world){ .odd = odd };
	fixture_open(&w->f, sections, 4);
	fixture_free_zone(&w->f, 0, DMA_FIRST, DMA_END);
	fixture_free_zone(&w->f, 0, NODE0_FIRST, NODE0_END);
	fixture_free_zone(&w->f, 1, NODE1_FIRST, NODE1_END);
	buddy_census(w->f.buddy, &w->f.fake.memmap, &w->before);
	a->buddy = w->f.buddy;
	a->memmap = &w->f.fake.memmap;
	a->cpu_count = OWNED_CPUS;
	a->node_cpus[0] = OWNED_CPUS;
	a->irq = IRQ_GUARD_NONE;
	assert_int_equal(posix_memalign(&w->memory, 128, page_allocator_bytes(a) + 64 * odd), 0);
	w->state = (uint8_t *)w->memory + 64 * odd;
	page_allocator_init(a, PCP_OWNED, w->state);
}

static inline void owned_close(struct owned_world *w)
{
	free(w->memory);
	fixture_close(&w->f);
}

/* After a drain: the lists are sound and `allocated` pages are missing from them. */
static inline void owned_assert_sound(struct owned_world *w, uint64_t allocated)
{
	struct owned_counts counts = owned_counts(&w->allocator);
	struct buddy_census now;

	buddy_census(w->f.buddy, &w->f.fake.memmap, &now);
	assert_int_equal(now.faults, 0);
	assert_int_equal(now.free_pages, ALL_PAGES - allocated);
	assert_int_equal(w->f.buddy->double_frees, 0);
	assert_int_equal(w->f.buddy->poison_reads, 0);
	assert_int_equal(w->allocator.fault_count, 0);
	assert_int_equal(counts.blocks + counts.stacked + counts.boxed + counts.loose, 0);
	if (!allocated)
		assert_true(now.digest == w->before.digest);
}

/* Nothing is lost: what came from the zones is allocated or kept. */
static inline void owned_assert_balance(struct owned_world *w, uint64_t allocated)
{
	struct owned_counts counts = owned_counts(&w->allocator);
	struct page_alloc_stats stats = page_allocator_stats(&w->allocator);

	assert_int_equal(stats.refilled_pages - stats.drained_pages,
			 allocated + counts.stacked + counts.boxed + counts.loose);
	assert_int_equal(counts.hidden, 0);
}

static inline void owned_drain_and_close(struct owned_world *w)
{
	owned_assert_balance(w, 0);
	page_allocator_drain(&w->allocator);
	owned_assert_sound(w, 0);
	owned_close(w);
}
