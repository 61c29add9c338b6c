/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Two nodes with a section of RAM each, all of it free, and mappings in it. Only what is written to
 * of that RAM takes memory. */
#include <sys/mman.h>

#include "mm/buddy/buddy_census.h"
#include "mm/unmap/address_space.h"
#include "mm/unmap/address_space_fill.h"
#include "mm/unmap/address_space_mix.h"
#include "mm/unmap/unmap.h"
#include "tests/host/buddy_fixture.h"

enum { SPACE_CPUS = 6, SPACE_PAGES = 2 * SECTION_PAGES };

struct space_fixture {
	struct buddy_fixture f;
	struct page_allocator allocator;
	uint8_t *base;
	void *memory;
	struct buddy_census before;
	struct address_space_supply supply;
	struct address_space space;
};

static const uint64_t space_sections[] = { 2, 33 };

static inline void space_begin_way(struct space_fixture *s, enum pcp pcp)
{
	page_allocator_init(&s->allocator, pcp, s->memory);
}

static inline struct space_fixture *space_fixture_open(void)
{
	struct space_fixture *s = calloc(1, sizeof(*s));

	fixture_open(&s->f, space_sections, 2);
	for (uint32_t node = 0; node < 2; node++) {
		uint64_t first = space_sections[node] * SECTION_PAGES;

		fixture_free_zone(&s->f, node, first, first + SECTION_PAGES);
		s->allocator.node_cpus[node] = SPACE_CPUS / 2;
	}
	s->allocator.buddy = s->f.buddy;
	s->allocator.memmap = &s->f.fake.memmap;
	s->allocator.cpu_count = SPACE_CPUS;
	s->allocator.irq = IRQ_GUARD_NONE;
	s->base = mmap(NULL, FIXTURE_SECTIONS * SECTION_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	s->memory = aligned_alloc(64, (page_allocator_bytes(&s->allocator) + 63) & ~63ull);
	space_begin_way(s, PCP_NONE);
	buddy_census(s->f.buddy, &s->f.fake.memmap, &s->before);
	assert_int_equal(s->before.free_pages, SPACE_PAGES);
	return s;
}

static inline void space_fixture_close(struct space_fixture *s)
{
	munmap(s->base, FIXTURE_SECTIONS * SECTION_PAGES * PAGE_BYTES);
	free(s->memory);
	fixture_close(&s->f);
	free(s);
}

/* Half of the entries from each node. */
static inline void space_describe(struct space_fixture *s, enum mapping mapping, uint64_t entries)
{
	s->space = (struct address_space){
		.allocator = &s->allocator,
		.base = s->base,
		.mapping = mapping,
		.entries = entries,
		.node_count = 2,
		.root_pfn = BUDDY_NONE,
	};
	s->supply.end_entry[0] = entries / 2;
	s->supply.end_entry[1] = entries;
}

static inline void space_build(struct space_fixture *s, enum mapping mapping, uint64_t entries,
			       uint32_t fragment)
{
	space_begin_way(s, PCP_NONE);
	space_describe(s, mapping, entries);
	assert_true(address_space_open(&s->space, 0, 0));
	assert_true(address_space_fill(&s->space, &s->supply, 0, 0,
				       address_space_leaf_tables(&s->space)));
	address_space_mix(&s->space, fragment, 42, 0, entries);
}

/* Nothing lost, nothing twice, nothing left. */
static inline void space_assert_free(struct space_fixture *s)
{
	assert_int_equal(s->allocator.fault_count, 0);
	page_allocator_drain(&s->allocator);
	fixture_assert_restored(&s->f, &s->before);
	assert_true(s->space.root_pfn == BUDDY_NONE);
}

static inline void space_discard(struct space_fixture *s)
{
	struct unmap_rank rank = { .cpu = 0 };
	struct unmap_job job = { .space = &s->space, .ranks = &rank, .rank_count = 1 };

	unmap_vanilla.work(&job, 0);
}
