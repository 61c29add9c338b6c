/* SPDX-License-Identifier: GPL-2.0-only */
/* Chunks and early frames, from the poisoned memmap to a page allocator that has everything. The
 * letters are the bug classes of Linux's history that a case comes from. */
#include "mm/buddy/buddy_census.h"
#include "mm/buddy/buddy_take.h"
#include "mm/init/chunk_early.h"
#include "mm/init/chunk_sized.h"
#include "tests/host/machine_fixture.h"

enum { LIMIT = MACHINE_SECTIONS * 32768 };

static const enum policy by_pass[] = { POLICY_PADATA, POLICY_ZONE, POLICY_KTASK, POLICY_LAZY };

static enum verify_stage stage_of(enum policy policy)
{
	return policy == POLICY_LAZY ? VERIFY_FREED_LAZY : VERIFY_FREED;
}

/* The machine as it stands under every policy and several chunk sizes. */
static void run_all(void)
{
	static const uint64_t chunks[] = { 0, 1024, 2 * 32768 };

	for (unsigned i = 0; i < 4; i++) {
		rules.policy = by_pass[i];
		rules.chunk_pages = chunks[random_below(3)];
		machine_open();
		machine_run();
		machine_check(stage_of(rules.policy));
		machine_close();
	}
}

/* ---- machines ---- */

/* B1: memory that ends a page or 64 MiB into its last section. */
static void partial_last_sections(void **state)
{
	static const uint64_t mib[] = { 4097, 4160 };

	for (unsigned i = 0; i < 2; i++) {
		clear(state);
		hand_ram(&topology, 31 * S, 31 * S + (mib[i] - 3968) * 256 + S, 0);
		hand_ram(&topology, 36 * S, 36 * S + 1, 0);
		run_all();
	}
}

/* B3: a zone ends in mid-section, at a hole, at another node, at a frame that is no block's end. */
static void zones_end_in_mid_section(void **state)
{
	(void)state;
	hand_ram(&topology, 100, 3 * S + 4095, 1);
	hand_ram(&topology, 3 * S + 4095, 5 * S + 333, 0);
	hand_ram(&topology, 32 * S, 35 * S + 700, 0);
	hand_ram(&topology, 35 * S + 701, 38 * S + 513, 1);
	run_all();
}

/* B5, B6: holes and reserved frames that end off the borders of pageblocks, in deferred blocks. */
static void holes_inside_blocks(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 33 * S + 10, 0);
	for (uint64_t i = 0; i < 40; i++) {
		uint64_t at = 33 * S + 1024 * i + 100 + i;

		hand_ram(&topology, at, at + 700, 0);
		reserve(at + 300, at + 300 + i);
	}
	hand_ram(&topology, 35 * S + 511, 37 * S - 1, 0);
	reserve(36 * S, 36 * S + 512);
	reserve(36 * S + 1024, 36 * S + 1025);
	reserve(36 * S + 3071, 36 * S + 3072);
	run_all();
}

/* B8, B19: two nodes share blocks, one after the other and alternating. */
static void nodes_that_share_blocks(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 34 * S, 1);
	hand_ram(&topology, 34 * S, 36 * S + 1023, 0);
	for (uint64_t i = 0; i < 30; i++)
		hand_ram(&topology, 36 * S + 1023 + 100 * i, 36 * S + 1123 + 100 * i, i % 3);
	hand_ram(&topology, 36 * S + 4100, 38 * S, 1);
	reserve(36 * S + 2000, 36 * S + 2200);
	run_all();
}

/* Descending nodes, a node of two regions, a node below 16 MiB alone. */
static void odd_nodes(void **state)
{
	(void)state;
	hand_ram(&topology, 1, 159, 2);
	hand_ram(&topology, 256, 4000, 2);
	hand_ram(&topology, 5000, 4 * S, 1);
	hand_ram(&topology, 32 * S + 5, 35 * S, 1);
	hand_ram(&topology, 35 * S, 37 * S, 0);
	hand_ram(&topology, 37 * S, 39 * S, 1);
	run_all();
}

/* B17: more than 128 regions. */
static void many_regions(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 400; i++)
		hand_ram(&topology, 32 * S + i * 600, 32 * S + i * 600 + 599, i / 100 % 2);
	run_all();
}

static void nothing_but_reserved(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 36 * S, 0);
	reserve(0, 50 * S);
	run_all();
}

static void random_machines(void **state)
{
	(void)state;
	seed = 0x9e3779b97f4a7c15;
	for (int round = 0; round < 40; round++) {
		machine_random();
		run_all();
	}
}

/* ---- what a chunk touches ---- */

static bool is_poison(const struct page *page)
{
	static const struct page poison = { ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, -1, -1,
					    ~0ull };

	return !memcmp(page, &poison, sizeof(poison));
}

/* Frames that a node's worker has to do, by asking each span. */
static void model_deferred(uint32_t node, bool *deferred)
{
	memset(deferred, 0, LIMIT);
	for (uint64_t i = 0; i < plan->span_count; i++)
		if (plan->spans[i].deferred && plan->spans[i].node == node)
			memset(&deferred[plan->spans[i].start_pfn], 1,
			       plan->spans[i].end_pfn - plan->spans[i].start_pfn);
}

static uint64_t random_block(void)
{
	return random_below(LIMIT / 1024) * 1024;
}

/* Frames of [start, end) are initialised if deferred, no others; under lazy heads only. */
static void check_touched(const bool *deferred, uint64_t start, uint64_t end, bool lazy)
{
	for (uint64_t i = 0; i < fake.memmap.count; i++) {
		uint64_t pfn = fake.memmap.sections[i].section * S;

		for (uint64_t left = S; left > 0; left--, pfn++) {
			uint64_t block = pfn / 1024 * 1024;
			bool wanted = deferred[pfn] && pfn >= start && pfn < end;

			if (wanted && lazy && pfn % 1024 &&
			    !memchr(&deferred[block], 0, 1024))
				wanted = false;
			if (is_poison(buddy.base + pfn) == wanted)
				fail_msg("frame %lx", (unsigned long)pfn);
		}
	}
}

/* B14: of 4 MiB both pageblocks are typed, each by whoever frees the first frame in it. */
static void check_typed(const bool *deferred, uint64_t start, uint64_t end)
{
	for (uint64_t block = 0; block < LIMIT / 512; block++) {
		uint64_t pfn = block * 512;
		bool wanted = pfn >= start && pfn < end && memchr(&deferred[pfn], 1, 512);

		assert_int_equal(pageblocks[block], wanted ? MIGRATE_MOVABLE : MIGRATE_UNTYPED);
	}
	assert_int_equal(buddy.typed_twice, 0);
}

static void a_chunk_touches_its_own_frames(void **state)
{
	static bool deferred[LIMIT];

	(void)state;
	seed = 0x2545f4914f6cdd1d;
	for (int round = 0; round < 60; round++) {
		uint64_t a, b, pages = 0;
		struct chunk_args *args;

		machine_random();
		rules.policy = POLICY_KTASK;
		machine_open();
		args = &chunk_args[random_below(3)];
		model_deferred(args->node, deferred);
		a = random_block();
		b = random_block();
		if (a > b) {
			uint64_t spare = a;

			a = b;
			b = spare;
		}
		for (uint64_t pfn = a; pfn < b; pfn++)
			pages += deferred[pfn];
		if (round % 3 == 0) {
			chunk_init(args, a, b);
			check_touched(deferred, a, b, false);
			assert_int_equal(freed_pages[args->node], 0);
			check_typed(deferred, 0, 0);
			page_init_early(buddy.base, plan, STORE_PLAIN);
			chunk_free(args, a, b);
		} else {
			(round % 3 == 1 ? chunk_init_and_free : chunk_lazy)(args, a, b);
			check_touched(deferred, a, b, round % 3 == 2);
		}
		check_typed(deferred, a, b);
		if (round % 3 != 2)
			assert_int_equal(freed_pages[args->node], pages);
		machine_close();
	}
}

/* Whoever counts at the end counts for nobody before. */
static void managed_pages_at_the_end(void **state)
{
	struct buddy_census census;

	(void)state;
	rules.policy = POLICY_KTASK;
	hand_ram(&topology, 32 * S, 35 * S + 100, 0);
	machine_open();
	machine_early();
	machine_work(chunk_init);
	machine_work(chunk_free);
	buddy_census(&buddy, &fake.memmap, &census);
	assert_int_equal(census.managed_pages, S);
	assert_int_equal(freed_pages[0], 2 * S + 100);
	machine_close();
}

/* ---- the early part ---- */

/* Before any worker: early free frames are free in the largest blocks, pageblocks typed. */
static void the_early_part_alone(void **state)
{
	struct buddy_census census;

	(void)state;
	hand_ram(&topology, 3, 159, 0);
	hand_ram(&topology, 1024, 2 * S + 1536, 0);
	reserve(2048, 2049);
	machine_open();
	page_init_early(buddy.base, plan, STORE_PLAIN);
	assert_int_equal(chunk_free_early(&buddy, plan), 156 + 2 * S - 1024 - 1);
	buddy_census(&buddy, &fake.memmap, &census);
	assert_int_equal(census.free_pages, 156 + 2 * S - 1024 - 1);
	assert_int_equal(census.managed_pages, census.free_pages);
	assert_int_equal(census.blocks[10], 2 * 32 - 2);
	assert_int_equal(census.blocks[9], 1); /* 2049 .. 3072: 1, 2, 4 ... 512 */
	assert_int_equal(pageblocks[0], MIGRATE_MOVABLE);
	assert_int_equal(pageblocks[1], MIGRATE_UNTYPED); /* a hole */
	assert_int_equal(pageblocks[2 * 64 - 1], MIGRATE_MOVABLE);
	assert_int_equal(pageblocks[2 * 64], MIGRATE_UNTYPED); /* a worker's */
	machine_close();
}

/* A pageblock of reserved frames only is typed too; one shared with deferred frames is not. */
static void reserved_pageblocks(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 35 * S, 0);
	reserve(34 * S, 34 * S + 700);
	machine_open();
	page_init_early(buddy.base, plan, STORE_PLAIN);
	chunk_free_early(&buddy, plan);
	assert_int_equal(pageblocks[34 * 64], MIGRATE_MOVABLE);
	assert_int_equal(pageblocks[34 * 64 + 1], MIGRATE_UNTYPED);
	machine_close();
}

/* ---- lazy blocks ---- */

static uint64_t untouched_frames(void)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i < fake.memmap.count * S; i++)
		count += is_poison(buddy.base + fake.memmap.sections[i / S].section * S + i % S);
	return count;
}

static void lazy_blocks_are_filled_when_used(void **state)
{
	static uint64_t bitmap[LIMIT / 64];
	uint64_t twice, pfn;

	(void)state;
	rules.policy = POLICY_LAZY;
	hand_ram(&topology, 32 * S, 35 * S + 100, 2);
	machine_open();
	machine_run();
	assert_int_equal(untouched_frames(), 2 * 32 * 1023);
	pfn = buddy_alloc_zone(&buddy, 2, ZONE_NORMAL, 10); /* freed last: a lazy one */
	assert_int_equal(untouched_frames(), (2 * 32 - 1) * 1023);
	buddy_free(&buddy, pfn, 10);
	machine_check(VERIFY_FREED_LAZY);
	assert_int_equal(buddy_take_all(&buddy, 0, bitmap, 0, &twice), 3 * S + 100);
	assert_int_equal(twice, 0);
	assert_int_equal(untouched_frames(), 0);
	machine_check(VERIFY_FREED);
	machine_close();
}

/* ---- descriptors of other sizes ---- */

static void check_sized(uint32_t bytes)
{
	struct verify_job job = { &fake.memmap, &topology, &reserved, VERIFY_INITIALISED };
	struct verify_totals totals, expected;
	uint64_t early;

	machine_poison();
	for (uint32_t node = 0; node < MACHINE_NODES; node++) {
		chunk_args[node].buddy = NULL;
		chunk_args[node].descriptor_bytes = bytes;
		chunk_args[node].descriptors = (uint8_t *)fake.memmap.base;
	}
	early = chunk_early_sized(&chunk_args[0]);
	assert_int_equal(early, plan->early_pages);
	machine_work(chunk_init_sized);
	verify_totals_init(&totals);
	verify_sized(&job, bytes, 0, fake.memmap.count, &totals);
	verify_expected(&job, &expected);
	assert_int_equal(totals.mismatches, 0);
	assert_memory_equal(totals.pages, expected.pages, sizeof(totals.pages));
	for (uint64_t i = 0; i < fake.memmap.count; i++) {
		const uint8_t *section = (const uint8_t *)(buddy.base +
							   fake.memmap.sections[i].section * S);

		for (uint64_t at = S * bytes; at < S * 64; at += 509)
			assert_int_equal(section[at], PAGE_POISON_BYTE);
	}
}

static void smaller_descriptors(void **state)
{
	static const uint32_t sizes[] = { 56, 40, 32, 16, 8 };

	(void)state;
	seed = 0xd1342543de82ef95;
	for (unsigned i = 0; i < 5; i++) {
		machine_random();
		machine_open();
		check_sized(sizes[i]);
		machine_close();
	}
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(partial_last_sections),
		TEST(zones_end_in_mid_section),
		TEST(holes_inside_blocks),
		TEST(nodes_that_share_blocks),
		TEST(odd_nodes),
		TEST(many_regions),
		TEST(nothing_but_reserved),
		TEST(random_machines),
		TEST(a_chunk_touches_its_own_frames),
		TEST(managed_pages_at_the_end),
		TEST(the_early_part_alone),
		TEST(reserved_pageblocks),
		TEST(lazy_blocks_are_filled_when_used),
		TEST(smaller_descriptors),
	};

	seed = 1;
	return cmocka_run_group_tests(tests, NULL, release);
}
