/* SPDX-License-Identifier: GPL-2.0-only */
/* Way `owned` on threads, and what it does when somebody comes late or a frame is mapped twice; for
 * the thread sanitizer too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <pthread.h>

#include "lib/cpu.h"
#include "mm/unmap/unmap_owned_bits.h"
#include "mm/unmap/unmap_owned_state.h"
#include "tests/host/random.h"
#include "tests/host/space_fixture.h"

enum { SECTION_WORDS = SECTION_PAGES / WORD_PAGES };

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
				       .rank_count = ranks, .patience_cycles = UINT64_MAX };
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
static void a_frame_twice(struct space_fixture *s, enum mapping mapping, uint32_t ranks,
			  uint64_t from, uint64_t to)
{
	uint64_t lost, twice;
	struct run *run;

	space_build(s, mapping, mapping == MAPPING_2M ? 100 : 20000, 0);
	lost = entry_pfn(*entry_at(s, to));
	twice = entry_pfn(*entry_at(s, from));
	*entry_at(s, to) = *entry_at(s, from);
	run = run_open(s, ranks);
	run_threads(run);
	assert_int_equal(s->allocator.fault_count, 1);
	assert_int_equal(s->allocator.fault.kind, FREE_FAULT_DOUBLE);
	assert_int_equal(s->allocator.fault.pfn, twice);
	assert_int_equal(s->allocator.fault.order, address_space_order(&s->space));
	s->allocator.fault_count = 0;
	page_free(&s->allocator, 0, lost, address_space_order(&s->space));
	space_assert_free(s);
	run_close(run);
}

static void frames_found_twice(void **state)
{
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (uint32_t ranks = 1; ranks <= SPACE_CPUS; ranks++) {
		a_frame_twice(s, MAPPING_4K, ranks, 515, 712);
		a_frame_twice(s, MAPPING_4K, ranks, 515, 3 * TABLE_ENTRIES);
		a_frame_twice(s, MAPPING_4K, ranks, 19000, 40);
		a_frame_twice(s, MAPPING_2M, ranks, 3, 60);
		a_frame_twice(s, MAPPING_2M, ranks, 98, 97);
	}
	space_fixture_close(s);
}

/* The bits of one section, in a bitmap of single pages and one of huge ones: those of a block come
 * out, and which of them two walkers found. */
static void bits_of_several_walkers(void **state)
{
	struct space_fixture *s = space_fixture_open();

	(void)state;
	for (int mapping = 0; mapping < MAPPING_COUNT; mapping++) {
		uint32_t order = mapping == MAPPING_2M ? PAGEBLOCK_ORDER : 0;
		uint64_t word = order ? 1 : SECTION_WORDS + 3 * BLOCK_WORDS + 8;
		uint64_t first = 1ull << (order ? 6 : 2), second = 1ull << (order ? 7 : 40);
		struct block_bits bits;
		struct owned_state *o;
		struct run *run;

		space_build(s, (enum mapping)mapping, 1, 0);
		run = run_open(s, 3);
		o = run->job.state;
		for (uint32_t walker = 0; walker < 3; walker++)
			memset(bitmap_of(o, walker), 0, 2 * section_words(order) * 8);
		bitmap_of(o, 0)[word] = first;
		bitmap_of(o, 1)[word] = second;
		bitmap_of(o, 2)[word] = second;
		assert_false(unmap_owned_collect(o, SECTION_BLOCKS + 2, &bits));
		assert_false(unmap_owned_collect(o, SECTION_BLOCKS + 4, &bits));
		assert_true(unmap_owned_collect(o, SECTION_BLOCKS + 3, &bits));
		assert_true(bits.words[8] == (order ? 1 : first | second));
		assert_true(bits.words[0] == (order ? 1 : 0));
		assert_true(bits.twice[8] == (order ? 1 : second));
		assert_true(bits.twice[0] == 0);
		run_close(run);
		space_discard(s);
		space_assert_free(s);
	}
	space_fixture_close(s);
}

/* A large page's second frame is none that could be freed. */
static void in_the_middle_of_a_page(void **state)
{
	struct space_fixture *s = space_fixture_open();
	struct run *run;
	uint64_t pfn;

	(void)state;
	space_build(s, MAPPING_2M, 100, 0);
	pfn = entry_pfn(*entry_at(s, 7));
	*entry_at(s, 7) += PAGE_BYTES;
	run = run_open(s, 2);
	run_threads(run);
	assert_int_equal(s->allocator.fault_count, 1);
	assert_int_equal(s->allocator.fault.kind, FREE_FAULT_DOUBLE);
	assert_int_equal(s->allocator.fault.pfn, pfn + 1);
	s->allocator.fault_count = 0;
	page_free(&s->allocator, 0, pfn, PAGEBLOCK_ORDER);
	space_assert_free(s);
	run_close(run);
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
	run->job.patience_cycles = 1000000;
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
		cmocka_unit_test(all_workers),
		cmocka_unit_test(workers_that_do_not_walk),
		cmocka_unit_test(frames_found_twice),
		cmocka_unit_test(bits_of_several_walkers),
		cmocka_unit_test(in_the_middle_of_a_page),
		cmocka_unit_test(frames_of_nobody),
		cmocka_unit_test(runs_out_of_step),
		cmocka_unit_test(gaps_in_tables),
		cmocka_unit_test(a_late_worker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
