/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Memmaps made by a naive model, frame after frame, for the oracle to look at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mm/init/verify.h"
#include "tests/host/fake_memmap.h"

struct world {
	struct topology topology;
	struct range storage[64];
	struct range_list reserved;
	struct fake_memmap fake;
	struct verify_job job;
};

static inline struct world *world_new(void)
{
	struct world *w = calloc(1, sizeof(*w));

	range_list_init(&w->reserved, w->storage, 64);
	return w;
}

static inline struct page *page_of(struct world *w, uint64_t pfn)
{
	return w->fake.memmap.base + pfn;
}

/* Node of a frame, looking at one frame after the other. */
static inline uint32_t naive_node(const struct topology *t, uint64_t pfn, bool *is_ram)
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

static inline enum frame_kind naive_page(struct world *w, uint64_t pfn, struct page *page)
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
static inline void world_build(struct world *w, uint64_t *counts)
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

static inline void world_free(struct world *w)
{
	fake_memmap_close(&w->fake);
	free(w);
}

static inline struct verify_totals check(struct world *w)
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
static inline struct world *world_usual(uint64_t *counts)
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

static inline void assert_counts(const struct verify_totals *totals, const uint64_t *counts)
{
	for (int kind = 0; kind < FRAME_KINDS; kind++)
		assert_int_equal(totals->pages[kind], counts[kind]);
}

static inline void assert_names(struct world *w, uint64_t pfn, const char *field)
{
	struct verify_totals totals = check(w);

	assert_int_equal(totals.mismatches, 1);
	assert_int_equal(totals.first_bad_pfn, pfn);
	assert_string_equal(totals.first_bad_field, field);
}
