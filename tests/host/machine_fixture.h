/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A small machine from the map to the page allocator: topology, reservations, plan, a memmap of
 * which only the populated sections can be touched, pageblocks, zones. Everything is poisoned. */
#include <stdlib.h>

#include "mm/buddy/buddy.h"
#include "mm/buddy/buddy_census.h"
#include "mm/init/chunk.h"
#include "mm/init/chunk_early.h"
#include "mm/init/page_init.h"
#include "mm/init/policy.h"
#include "mm/init/verify.h"
#include "mm/init/verify_pageblocks.h"
#include "smp/dispatch/dispatch.h"
#include "tests/host/fake_memmap.h"
#include "tests/host/plan_fixture.h"
#include "tests/host/random.h"

enum { MACHINE_SECTIONS = 40, MACHINE_NODES = 4 };

static struct fake_memmap fake;
static uint8_t pageblocks[MACHINE_SECTIONS * 64];
static struct buddy buddy;
static struct chunk_args chunk_args[MACHINE_NODES];
static _Atomic uint64_t freed_pages[MACHINE_NODES];
static uint64_t seed;

static inline uint64_t random_below(uint64_t limit)
{
	return random_next(&seed) % limit;
}

static inline void machine_poison(void)
{
	for (uint64_t i = 0; i < fake.memmap.count; i++)
		memset(fake.memmap.base + fake.memmap.sections[i].section * S, PAGE_POISON_BYTE,
		       S * sizeof(struct page));
	memset(pageblocks, MIGRATE_UNTYPED, sizeof(pageblocks));
	buddy_reset(&buddy);
	for (uint32_t node = 0; node < MACHINE_NODES; node++) {
		freed_pages[node] = 0;
		chunk_args[node] = (struct chunk_args){
			.buddy = &buddy,
			.plan = plan,
			.node = node,
			.count_managed = !policy_rule(rules.policy)->count_at_end,
			.freed_pages = &freed_pages[node],
		};
	}
}

static inline void machine_zones(void)
{
	memset(&buddy, 0, sizeof(buddy));
	for (uint32_t i = 0; i < topology.ram_count; i++) {
		const struct ram_range *ram = &topology.ram[i];

		for (uint64_t pfn = ram->start_pfn; pfn < ram->end_pfn;) {
			struct zone_area *zone = &buddy.zones[ram->node][zone_of(pfn)];

			if (zone->start_pfn == zone->end_pfn)
				zone->start_pfn = pfn;
			while (pfn < ram->end_pfn && zone_of(pfn) == zone_of(zone->start_pfn))
				pfn++;
			zone->end_pfn = pfn;
		}
	}
}

/* When topology, reservations and rules stand. */
static inline void machine_open(void)
{
	build();
	fake_memmap_open(&fake, MACHINE_SECTIONS * S);
	fake_memmap_populate(&fake, &topology);
	machine_zones();
	buddy.base = fake.memmap.base;
	buddy.pageblocks = pageblocks;
	buddy.fill = chunk_fill_lazy;
	buddy.fill_context = &buddy;
	machine_poison();
}

static inline void machine_close(void)
{
	fake_memmap_close(&fake);
}

static inline uint64_t machine_border(uint64_t from, uint64_t reach)
{
	static const uint64_t grains[] = { 1, 1, 512, 1024, 32768 };
	uint64_t grain = grains[random_below(5)];

	return (from + random_below(reach) + grain - 1) / grain * grain;
}

/* Ranges of three nodes in any order with holes, reservations over anything; around 0 or 4 GiB. */
static inline void machine_random(void)
{
	uint64_t base = random_below(3) ? 30 * S : 0, at, end = 0;

	clear(NULL);
	hand_nodes(&topology, MACHINE_NODES);
	hand_cpus(&topology, 0, 3);
	hand_cpus(&topology, 1, 2);
	for (at = random_below(40000); at < 8 * S; at = end) {
		if (random_below(3) == 0)
			at = machine_border(at, random_below(3) ? 2000 : 40000);
		end = machine_border(at + 1, random_below(2) ? 3000 : 120000);
		if (at >= 8 * S)
			break;
		hand_ram(&topology, base + at, base + (end > 8 * S ? 8 * S : end),
			 (uint32_t)random_below(3));
	}
	for (uint64_t i = random_below(30); i > 0; i--) {
		at = machine_border(0, 8 * S);
		reserve(base + at, base + machine_border(at, random_below(2) ? 300 : 20000));
	}
}

/* ---- what the boot CPU and the workers do ---- */

static inline void machine_early(void)
{
	assert_int_equal(page_init_early(buddy.base, plan, STORE_PLAIN), plan->early_pages);
	chunk_free_early(&buddy, plan);
}

typedef void chunk_function(void *args, uint64_t start_pfn, uint64_t end_pfn);

/* All jobs, chunk by chunk, nodes and workers taking turns at random. */
static inline void machine_work(chunk_function *function)
{
	static struct job_state states[512];
	uint32_t left = plan->job_count, at = 0;
	uint64_t start, end;

	assert_true(plan->job_count <= 512);
	for (uint32_t i = 0; i < plan->job_count; i++)
		dispatch_prepare(&states[i], &plan->jobs[i].job);
	while (left) {
		at = (at + (uint32_t)random_below(7)) % plan->job_count;
		while (states[at].job.size == 0)
			at = (at + 1) % plan->job_count;
		if (dispatch_claim(&states[at], 0, &start, &end)) {
			function(&chunk_args[plan->jobs[at].node], start, end);
		} else {
			states[at].job.size = 0;
			left--;
		}
	}
}

/* Early part and workers, as the policy has it. */
static inline void machine_run(void)
{
	const struct policy_rule *rule = policy_rule(rules.policy);

	machine_early();
	if (rule->passes == PASS_TWO) {
		machine_work(chunk_init);
		machine_work(chunk_free);
	} else {
		machine_work(rule->passes == PASS_LAZY ? chunk_lazy : chunk_init_and_free);
	}
	for (uint32_t node = 0; rule->count_at_end && node < MACHINE_NODES; node++)
		if (freed_pages[node])
			buddy_count_managed(&buddy, node, plan->nodes[node].deferred_zone,
					    freed_pages[node]);
}

/* ---- what must be true after it ---- */

static inline void machine_check(enum verify_stage stage)
{
	struct verify_job job = { &fake.memmap, &topology, &reserved, stage };
	struct verify_totals totals, expected;
	struct buddy_census census;
	uint64_t bad_pfn;

	verify_totals_init(&totals);
	verify_sections(&job, 0, fake.memmap.count, &totals);
	verify_expected(&job, &expected);
	if (totals.mismatches)
		fail_msg("frame %lx: %s", (unsigned long)totals.first_bad_pfn,
			 totals.first_bad_field);
	assert_memory_equal(totals.pages, expected.pages, sizeof(totals.pages));
	assert_int_equal(verify_pageblocks(&job, pageblocks, &bad_pfn),
			 verify_expected_pageblocks(&topology));
	assert_true(bad_pfn == UINT64_MAX);
	buddy_census(&buddy, &fake.memmap, &census);
	assert_int_equal(census.faults, 0);
	assert_int_equal(census.free_pages, expected.pages[FRAME_FREE]);
	assert_int_equal(census.managed_pages, expected.pages[FRAME_FREE]);
	assert_int_equal(buddy.poison_reads, 0);
	assert_int_equal(buddy.typed_twice, 0);
	assert_int_equal(buddy.double_frees, 0);
}
