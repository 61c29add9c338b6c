/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A slab layer over two sections of memory whose bytes are there, on a few CPUs of one node. */
#include "mm/buddy/buddy_census.h"
#include "mm/slab/slab.h"
#include "tests/host/buddy_fixture.h"

enum { SLAB_FIRST = 65536, SLAB_END = SLAB_FIRST + 2 * 32768, SLAB_CPUS = 4 };

struct slab_fixture {
	struct buddy_fixture f;
	struct page_allocator allocator;
	struct slab_layer layer;
	void *allocator_memory, *memory;
	uint8_t *base;
	struct buddy_census before;
};

static inline void slab_fixture_open(struct slab_fixture *s, enum pcp pcp)
{
	static const uint64_t sections[] = { 2, 3 };
	size_t bytes = SLAB_END * PAGE_BYTES;

	memset(s, 0, sizeof(*s));
	fixture_open(&s->f, sections, 2);
	fixture_free_zone(&s->f, 0, SLAB_FIRST, SLAB_END);
	buddy_census(s->f.buddy, &s->f.fake.memmap, &s->before);
	s->base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	s->allocator = (struct page_allocator){ .buddy = s->f.buddy, .cpu_count = SLAB_CPUS,
						.node_cpus = { SLAB_CPUS },
						.irq = IRQ_GUARD_NONE,
						.memmap = &s->f.fake.memmap };
	s->allocator_memory = aligned_alloc(64, page_allocator_bytes(&s->allocator));
	page_allocator_init(&s->allocator, pcp, s->allocator_memory);
	s->memory = aligned_alloc(64, slab_layer_bytes(&s->allocator, 1));
	slab_layer_init(&s->layer, &s->allocator, s->base, 1, s->memory);
}

static inline struct page *slab_fixture_page(struct slab_fixture *s, const void *object)
{
	return s->f.base + (uint64_t)((const uint8_t *)object - s->base) / PAGE_BYTES;
}

/* Everything is back, and looks as it did. */
static inline void slab_fixture_assert_back(struct slab_fixture *s)
{
	page_allocator_drain(&s->allocator);
	fixture_assert_restored(&s->f, &s->before);
	assert_int_equal(s->allocator.fault_count, 0);
	for (uint64_t pfn = SLAB_FIRST; pfn < SLAB_END; pfn++) {
		const struct page *page = s->f.base + pfn;

		if (page->mapping || page->index || page->refcount)
			fail_msg("frame %lu is not as it was", (unsigned long)pfn);
		if (pfn % BLOCK_PAGES && (page->private_data || page->mapcount != -1 ||
					  page->lru_next != fixture_lru(page) ||
					  page->lru_prev != fixture_lru(page)))
			fail_msg("frame %lu is not as it was", (unsigned long)pfn);
	}
}

static inline void slab_fixture_close(struct slab_fixture *s)
{
	munmap(s->base, SLAB_END * PAGE_BYTES);
	free(s->memory);
	free(s->allocator_memory);
	fixture_close(&s->f);
}
