/* Way `owned`: what a block's pages become, whose faults are named, and what a late worker does; on
 * threads, and for the thread sanitizer too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "lib/cpu.h"
#include "mm/unmap_owned_parts.h"
#include "tests/host/random.h"
#include "tests/host/space_fixture.h"

/* ---- one block ------------------------------------------------------------------------------ */

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

/* ---- a mapping ------------------------------------------------------------------------------ */

struct run {
	struct unmap_job job;
	struct unmap_rank ranks[SPACE_CPUS];
};

struct thread {
	struct run *run;
	uint32_t rank;
	pthread_t thread;
};

/* Its memory is exactly as large as it says, and full of rubbish. */
static struct run *run_open(struct space_fixture *s, uint32_t ranks)
{
	struct run *run = aligned_alloc(64, (sizeof(*run) + 63) & ~63ull);
	uint64_t bytes;

	run->job = (struct unmap_job){ .space = &s->space, .ranks = run->ranks,
				       .rank_count = ranks, .deadline_tsc = UINT64_MAX };
	for (uint32_t i = 0; i < SPACE_CPUS; i++)
		run->ranks[i] = (struct unmap_rank){ .cpu = i, .node = i % 2 };
	bytes = unmap_owned.bytes(&run->job);
	space_begin_way(s, unmap_owned.pcp);
	assert_int_equal(posix_memalign(&run->job.state, 64, bytes), 0);
	memset(run->job.state, 0xa5, bytes);
	unmap_owned.prepare(&run->job);
	return run;
}

static void run_close(struct run *run)
{
	free(run->job.state);
	free(run);
}

static void *thread_main(void *argument)
{
	struct thread *t = argument;

	unmap_owned.work(&t->run->job, t->rank);
	return NULL;
}

static void start_thread(struct thread *t, struct run *run, uint32_t rank)
{
	*t = (struct thread){ .run = run, .rank = rank };
	assert_int_equal(pthread_create(&t->thread, NULL, thread_main, t), 0);
}

static void run_threads(struct run *run)
{
	struct thread threads[SPACE_CPUS];

	for (uint32_t i = 0; i < run->job.rank_count; i++)
		start_thread(&threads[i], run, i);
	for (uint32_t i = 0; i < run->job.rank_count; i++)
		pthread_join(threads[i].thread, NULL);
}

static uint64_t *entry_at(struct space_fixture *s, uint64_t entry)
{
	return &address_space_leaf(&s->space, entry / TABLE_ENTRIES)[entry % TABLE_ENTRIES];
}

static uint64_t zone_holds(const struct space_fixture *s)
{
	return s->f.buddy->zones[0][ZONE_DMA32].lock.acquisitions +
	       s->f.buddy->zones[1][ZONE_NORMAL].lock.acquisitions;
}

/* All of memory but a few blocks. Tables are among what is freed, in no more holds. */
static void all_workers(void **state)
{
	enum { ENTRIES = SPACE_PAGES / 8 * 7 + 77 };
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (uint32_t ranks = 1; ranks <= SPACE_CPUS; ranks++)
		for (uint32_t fragment = 0; fragment <= 100; fragment += 25) {
			struct run *run;
			uint64_t holds;

			space_build(s, MAPPING_4K, ENTRIES, fragment);
			run = run_open(s, ranks);
			holds = zone_holds(s);
			run_threads(run);
			assert_true(zone_holds(s) - holds <= SPACE_PAGES / BLOCK_PAGES);
			space_assert_free(s);
			assert_int_equal(run->ranks[0].flushes, 1);
			run_close(run);
		}
	space_fixture_close(s);
}

/* More workers than bitmaps: those without only free. */
static void workers_that_do_not_walk(void **state)
{
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (uint32_t walkers = 1; walkers < SPACE_CPUS; walkers++) {
		struct owned_state *o;
		struct run *run;

		space_build(s, MAPPING_4K, 40000, 100);
		run = run_open(s, SPACE_CPUS);
		o = run->job.state;
		assert_int_equal(o->walkers, SPACE_CPUS);
		o->walkers = walkers;
		run_threads(run);
		space_assert_free(s);
		run_close(run);
	}
	space_fixture_close(s);
}

/* An entry that maps what another does: near enough for one worker to find both, or far away. */
static void a_frame_twice(struct space_fixture *s, uint32_t ranks, uint64_t table)
{
	uint64_t *far, lost;
	struct run *run;

	space_build(s, MAPPING_4K, 20000, 0);
	far = entry_at(s, table * TABLE_ENTRIES + 200);
	lost = entry_pfn(*far);
	*far = *entry_at(s, TABLE_ENTRIES + 3);
	run = run_open(s, ranks);
	run_threads(run);
	assert_int_equal(s->allocator.fault_count, 1);
	assert_int_equal(s->allocator.fault.kind, FREE_FAULT_DOUBLE);
	s->allocator.fault_count = 0;
	page_free(&s->allocator, 0, lost, 0);
	space_assert_free(s);
	run_close(run);
}

static void frames_found_twice(void **state)
{
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (uint32_t ranks = 1; ranks <= SPACE_CPUS; ranks++) {
		a_frame_twice(s, ranks, 1);
		a_frame_twice(s, ranks, 2);
		a_frame_twice(s, ranks, 36);
	}
	space_fixture_close(s);
}

/* Frames of sections without struct pages, inside and beyond the zones. */
static void frames_of_nobody(void **state)
{
	static const uint64_t nobodys[] = { 0, 10 * SECTION_PAGES + 5,
					    (uint64_t)FIXTURE_SECTIONS * SECTION_PAGES,
					    ENTRY_ADDRESS >> PAGE_SHIFT };
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
		for (unsigned i = 0; i < sizeof(nobodys) / sizeof(*nobodys); i++) {
			uint64_t *leaf, lost;
			struct run *run;

			space_build(s, (enum mapping)mapping, 100, 0);
			leaf = address_space_leaf(&s->space, 0);
			lost = entry_pfn(leaf[99]);
			leaf[99] = (leaf[99] & ~ENTRY_ADDRESS) | nobodys[i] << PAGE_SHIFT;
			run = run_open(s, 2);
			run_threads(run);
			assert_int_equal(s->allocator.fault_count, 1);
			assert_int_equal(s->allocator.fault.kind, FREE_FAULT_RESERVED);
			assert_int_equal(s->allocator.fault.pfn, nobodys[i]);
			s->allocator.fault_count = 0;
			page_free(&s->allocator, 0, lost, address_space_order(&s->space));
			space_assert_free(s);
			run_close(run);
		}
	space_fixture_close(s);
}

/* Runs of frames that begin anywhere, across words and tables. */
static void runs_out_of_step(void **state)
{
	enum { ENTRIES = 3000 };
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (uint64_t shift = 1; shift < 8; shift++) {
		uint64_t kept[ENTRIES];
		struct run *run;

		space_build(s, MAPPING_4K, ENTRIES, 0);
		for (uint64_t i = 0; i < ENTRIES; i++)
			kept[i] = *entry_at(s, i);
		for (uint64_t i = 0; i < ENTRIES; i++)
			*entry_at(s, i) = kept[(i + shift) % ENTRIES];
		run = run_open(s, 2);
		run_threads(run);
		space_assert_free(s);
		run_close(run);
	}
	space_fixture_close(s);
}

/* Entries that are not present, also at the ends of what looks like a run. */
static void gaps_in_tables(void **state)
{
	struct space_fixture *s = space_fixture_open();
	uint64_t seed = 7;

	(void)state;
	for (uint32_t round = 0; round < 8; round++) {
		struct run *run;

		space_build(s, MAPPING_4K, 5000, round % 2 ? 10 : 0);
		for (uint32_t i = 0; i < 5000; i++) {
			uint64_t *entry = entry_at(s, i), pfn = entry_pfn(*entry);

			if (random_next(&seed) % (round + 2) != 0)
				continue;
			*entry &= round % 3 ? 0 : ~ENTRY_PRESENT;
			page_free(&s->allocator, 0, pfn, 0);
		}
		run = run_open(s, 3);
		run_threads(run);
		space_assert_free(s);
		run_close(run);
	}
	space_fixture_close(s);
}

/* Nothing is freed before all have walked. Who comes when the others have given up frees it all. */
static void a_late_worker(void **state)
{
	struct space_fixture *s = space_fixture_open();
	struct run *run;

	(void)state;
	space_build(s, MAPPING_4K, 20000, 30);
	run = run_open(s, 2);
	run->job.deadline_tsc = tsc_ordered() + 1000000;
	unmap_owned.work(&run->job, 0);
	assert_int_equal(page_allocator_stats(&s->allocator).frees, 0);
	assert_false(s->space.root_pfn == BUDDY_NONE);
	unmap_owned.work(&run->job, 1);
	space_assert_free(s);
	run_close(run);
	space_fixture_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_pages_of_a_block),
		cmocka_unit_test(huge_pages_of_a_block),
		cmocka_unit_test(one_hold),
		cmocka_unit_test(faults_in_a_block),
		cmocka_unit_test(found_by_two),
		cmocka_unit_test(all_workers),
		cmocka_unit_test(workers_that_do_not_walk),
		cmocka_unit_test(frames_found_twice),
		cmocka_unit_test(frames_of_nobody),
		cmocka_unit_test(runs_out_of_step),
		cmocka_unit_test(gaps_in_tables),
		cmocka_unit_test(a_late_worker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
