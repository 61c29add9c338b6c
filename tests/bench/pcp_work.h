/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * What bench_pcp measures, on one CPU or on two: cycles of the time stamp counter per block that is
 * allocated and freed, in tenths. Each is the median of short slices.
 *
 * On a machine that others use as well, two threads need not run at the same time. A slice of one
 * counts only if neither was made to leave its CPU meanwhile, and the other has finished one of its
 * own; with fewer than ENOUGH of them nothing has been measured.
 */
#include <pthread.h>
#include <sys/resource.h>

#include "lib/cpu.h"
#include "lib/stats.h"
#include "tests/bench/page_machine.h"

enum {
	SLICES = 31,
	SLICE_PAIRS = 4096,
	ENOUGH = 9,
	TRIES = 32 * SLICES, /* slices, until so many count */
	OUTSTANDING_MAX = 8192,
	RING = 256,
	TENTHS = 10,
};
_Static_assert(SLICE_PAIRS % RING == 0, "slices begin where the ring does");

struct work;

struct hand {
	_Alignas(128) struct work *work;
	uint32_t cpu;
	uint32_t counted;
	uint64_t slices[SLICES];
	uint64_t pages[OUTSTANDING_MAX];
	_Alignas(128) _Atomic uint32_t finished; /* slices, counted or not */
};

struct work {
	struct page_machine *machine;
	struct hand hands[CPUS];
	uint32_t parameter;
	_Atomic uint32_t met, done;
	_Atomic bool stop;
	_Alignas(128) _Atomic uint64_t ring[RING];
};

typedef uint64_t measure_function(struct work *w, uint32_t parameter);

static inline uint64_t tenths(uint64_t cycles, uint64_t operations)
{
	return (cycles * TENTHS + operations / 2) / operations;
}

/* 0: there is none. */
static inline uint64_t median_of(struct hand *hand)
{
	return hand->counted < ENOUGH ? 0 : stats_summary(hand->slices, hand->counted).median;
}

static inline void keep_slice(struct hand *hand, uint64_t slice)
{
	if (hand->counted < SLICES)
		hand->slices[hand->counted++] = slice;
}

/* How often the system has taken the CPU from any of this program's threads. */
static inline long switches(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		fail("getrusage");
	return usage.ru_nivcsw;
}

/* One slice: tenths of a cycle per operation. */
typedef uint64_t slice_function(struct hand *hand, uint32_t parameter);

/* True: neither this thread nor another of the program had to leave its CPU meanwhile. Asking the
 * system costs the caches and predictions something, the same on one CPU and on two. */
static inline bool run_slice(struct hand *hand, slice_function *function, uint32_t parameter,
			     uint64_t *slice)
{
	long before = switches();

	*slice = function(hand, parameter);
	return switches() == before;
}

/* ---- one CPU --------------------------------------------------------------------------------- */

static inline uint64_t alone(struct work *w, slice_function *function, uint32_t parameter)
{
	struct hand *hand = &w->hands[0];
	uint64_t slice;

	for (uint32_t i = 0; i < TRIES && hand->counted < SLICES; i++)
		if (run_slice(hand, function, parameter, &slice))
			keep_slice(hand, slice);
	return median_of(hand);
}

static inline uint64_t pair_slice(struct hand *hand, uint32_t order)
{
	struct page_allocator *a = &hand->work->machine->allocator;
	uint64_t start = tsc_ordered();

	for (uint32_t i = 0; i < SLICE_PAIRS; i++)
		page_free(a, hand->cpu, page_alloc(a, hand->cpu, 0, order), order);
	return tenths(tsc_ordered() - start, SLICE_PAIRS);
}

static inline uint64_t pairs(struct work *w, uint32_t order)
{
	return alone(w, pair_slice, order);
}

/* So many pages are taken, then given back, oldest first. */
static inline uint64_t outstanding_slice(struct hand *hand, uint32_t count)
{
	struct page_allocator *a = &hand->work->machine->allocator;
	uint32_t rounds = SLICE_PAIRS > count ? SLICE_PAIRS / count : 1;
	uint64_t start = tsc_ordered();

	for (uint32_t round = 0; round < rounds; round++) {
		for (uint32_t i = 0; i < count; i++)
			hand->pages[i] = page_alloc(a, hand->cpu, 0, 0);
		for (uint32_t i = 0; i < count; i++)
			page_free(a, hand->cpu, hand->pages[i], 0);
	}
	return tenths(tsc_ordered() - start, rounds * count);
}

static inline uint64_t outstanding(struct work *w, uint32_t count)
{
	return alone(w, outstanding_slice, count);
}

static inline uint64_t bulk_slice(struct hand *hand, uint32_t count)
{
	struct page_allocator *a = &hand->work->machine->allocator;
	uint64_t start = tsc_ordered();

	for (uint32_t i = 0; i < SLICE_PAIRS / count; i++) {
		page_alloc_many(a, hand->cpu, 0, hand->pages, count);
		page_free_many(a, hand->cpu, hand->pages, count);
	}
	return tenths(tsc_ordered() - start, SLICE_PAIRS / count * count);
}

static inline uint64_t bulk(struct work *w, uint32_t count)
{
	return alone(w, bulk_slice, count);
}

/* ---- two CPUs -------------------------------------------------------------------------------- */

/* Both at the same time; the first is the caller. The second must not begin on the caller's CPU,
 * where it would never run if the caller has real-time priority and waits for it. */
static inline void run_both(struct work *w, void *(*first)(void *), void *(*second)(void *))
{
	pthread_attr_t pinned;
	pthread_t other;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(w->machine->cpus[1], &set);
	pthread_attr_init(&pinned);
	pthread_attr_setaffinity_np(&pinned, sizeof(set), &set);
	atomic_store(&w->met, 0);
	atomic_store(&w->done, 0);
	atomic_store(&w->stop, false);
	if (pthread_create(&other, &pinned, second, &w->hands[1]))
		fail("pthread_create");
	pthread_attr_destroy(&pinned);
	first(&w->hands[0]);
	pthread_join(other, NULL);
}

static inline void meet(struct hand *hand)
{
	struct work *w = hand->work;

	atomic_fetch_add(&w->met, 1);
	while (atomic_load(&w->met) < CPUS)
		cpu_pause();
}

/* With parameter 1 single pages, otherwise so many outstanding. Who has enough goes on until the
 * other has as well. */
static inline void *both_hand(void *argument)
{
	struct hand *hand = argument;
	struct work *w = hand->work;
	const struct hand *other = &w->hands[!hand->cpu];
	slice_function *function = w->parameter == 1 ? pair_slice : outstanding_slice;
	uint32_t parameter = w->parameter == 1 ? 0 : w->parameter;
	bool enough = false;

	meet(hand);
	for (uint32_t i = 0; atomic_load(&w->done) < CPUS; i++) {
		uint32_t before = atomic_load(&other->finished);
		uint64_t slice;
		bool whole = run_slice(hand, function, parameter, &slice);

		atomic_fetch_add(&hand->finished, 1);
		if (whole && atomic_load(&other->finished) != before)
			keep_slice(hand, slice);
		if (!enough && (hand->counted == SLICES || i == TRIES)) {
			enough = true;
			atomic_fetch_add(&w->done, 1);
		}
	}
	return NULL;
}

/* Per CPU: the mean of the two. */
static inline uint64_t both(struct work *w, uint32_t parameter)
{
	uint64_t first, second;

	w->parameter = parameter;
	run_both(w, both_hand, both_hand);
	first = median_of(&w->hands[0]);
	second = median_of(&w->hands[1]);
	return first && second ? (first + second) / 2 : 0;
}

static inline uint64_t ring_slice(struct hand *hand, uint32_t at)
{
	struct work *w = hand->work;
	uint64_t start = tsc_ordered();

	for (uint32_t i = 0; i < SLICE_PAIRS; i++, at = (at + 1) % RING) {
		uint64_t pfn = page_alloc(&w->machine->allocator, hand->cpu, 0, 0);

		while (atomic_load_explicit(&w->ring[at], memory_order_relaxed))
			cpu_pause();
		atomic_store_explicit(&w->ring[at], pfn, memory_order_release);
	}
	return tenths(tsc_ordered() - start, SLICE_PAIRS);
}

/* A slice goes round the ring a whole number of times. */
static inline void *allocate_into_ring(void *argument)
{
	struct hand *hand = argument;
	struct work *w = hand->work;
	uint64_t slice;

	meet(hand);
	for (uint32_t i = 0; i < TRIES && hand->counted < SLICES; i++)
		if (run_slice(hand, ring_slice, 0, &slice))
			keep_slice(hand, slice);
	atomic_store(&w->stop, true);
	return NULL;
}

static inline void *free_from_ring(void *argument)
{
	struct hand *hand = argument;
	struct work *w = hand->work;
	uint32_t at = 0;

	meet(hand);
	for (;;) {
		bool stop = atomic_load_explicit(&w->stop, memory_order_acquire);
		uint64_t pfn = atomic_load_explicit(&w->ring[at], memory_order_acquire);

		if (pfn) {
			atomic_store_explicit(&w->ring[at], 0, memory_order_release);
			page_free(&w->machine->allocator, hand->cpu, pfn, 0);
			at = (at + 1) % RING;
		} else if (stop) {
			return NULL;
		} else {
			cpu_pause();
		}
	}
}

/* From one page to the next, through a ring of so many. */
static inline uint64_t across(struct work *w, uint32_t unused)
{
	(void)unused;
	run_both(w, allocate_into_ring, free_from_ring);
	return median_of(&w->hands[0]);
}
