/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* For benchmarks of the page allocator, which define _GNU_SOURCE: a machine of one node with 4 GiB
 * of free pages, as initialisation leaves them, and two CPUs to run on. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/page_units.h"
#include "mm/pcp/page_alloc.h"

enum {
	CPUS = 2,
	FIRST_PFN = ZONE_DMA32_END_PFN,
	PAGES = 1 << 20,
};

struct page_machine {
	struct page_allocator allocator;
	struct buddy *buddy;
	void *state;
	int cpus[CPUS]; /* as the system numbers them */
	uint32_t cpu_count;
};

static inline void fail(const char *what)
{
	perror(what);
	exit(1);
}

static inline void machine_map(struct page_machine *m)
{
	size_t bytes = (size_t)(FIRST_PFN + PAGES) * sizeof(struct page);
	struct page *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint8_t *pageblocks = calloc((FIRST_PFN + PAGES) >> PAGEBLOCK_ORDER, 1);

	m->buddy = aligned_alloc(64, sizeof(*m->buddy));
	if (base == MAP_FAILED || !pageblocks || !m->buddy)
		fail("memory for the memmap");
	madvise(base, bytes, MADV_HUGEPAGE);
	memset(m->buddy, 0, sizeof(*m->buddy));
	memset(pageblocks, MIGRATE_MOVABLE, (FIRST_PFN + PAGES) >> PAGEBLOCK_ORDER);
	m->buddy->base = base;
	m->buddy->pageblocks = pageblocks;
	buddy_reset(m->buddy);
}

static inline void machine_fill(struct page_machine *m)
{
	struct zone_area *zone = &m->buddy->zones[0][ZONE_NORMAL];

	zone->start_pfn = FIRST_PFN;
	zone->end_pfn = FIRST_PFN + PAGES;
	for (uint64_t pfn = zone->start_pfn; pfn < zone->end_pfn; pfn++) {
		struct page *page = m->buddy->base + pfn;

		*page = (struct page){
			.flags = (pfn / SECTION_PAGES) << PAGE_SECTION_SHIFT |
				 (uint64_t)ZONE_NORMAL << PAGE_ZONE_SHIFT,
			.lru_next = (uint64_t)(uintptr_t)&page->lru_next,
			.lru_prev = (uint64_t)(uintptr_t)&page->lru_next,
			.mapcount = -1,
			.refcount = 1,
		};
	}
	for (uint64_t pfn = zone->start_pfn; pfn < zone->end_pfn; pfn += BLOCK_PAGES)
		buddy_free_core(m->buddy, pfn, ORDER_MAX, true);
}

static inline void machine_allocator(struct page_machine *m)
{
	struct page_allocator *a = &m->allocator;

	a->buddy = m->buddy;
	a->cpu_count = CPUS;
	a->node_cpus[0] = CPUS;
	a->irq = IRQ_GUARD_NONE;
	m->state = aligned_alloc(128, (page_allocator_bytes(a) + 127) & ~127ull);
	if (!m->state)
		fail("memory for the allocator");
}

/* Every page is back, each in one block as large as can be. */
static inline void machine_check(struct page_machine *m, const char *what)
{
	const struct zone_area *zone = &m->buddy->zones[0][ZONE_NORMAL];

	page_allocator_drain(&m->allocator);
	if (zone->area[ORDER_MAX].blocks == PAGES / BLOCK_PAGES && !m->allocator.fault_count &&
	    !m->buddy->double_frees)
		return;
	fprintf(stderr, "pages are missing after %s, %s\n", what,
		pcp_name(m->allocator.pcp));
	exit(1);
}

static inline void machine_cpus(struct page_machine *m)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		fail("sched_getaffinity");
	for (int cpu = 0; cpu < CPU_SETSIZE && m->cpu_count < CPUS; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			m->cpus[m->cpu_count++] = cpu;
}

static inline void machine_pin(const struct page_machine *m, uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(m->cpus[cpu], &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
}

static inline void print_cpu(void)
{
	char line[256];
	FILE *file = fopen("/proc/cpuinfo", "r");

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "model name", 10)) {
			printf("%s", line);
			break;
		}
	if (file)
		fclose(file);
}

static inline void machine_open(struct page_machine *m)
{
	machine_cpus(m);
	machine_map(m);
	machine_fill(m);
	machine_allocator(m);
}

/* A number from 1 to `most`. */
static inline uint32_t number(const char *program, const char *text, uint32_t most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || !value || value > most) {
		fprintf(stderr, "%s: '%s' is not a number from 1 to %u\n", program, text, most);
		exit(2);
	}
	return (uint32_t)value;
}
