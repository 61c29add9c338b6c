/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Native benchmark of the store kernels against raw fills of the same memory.
 *
 *   bench_store [GIB [REPETITIONS]]
 *
 * One thread writes slices of the memmap; all ways take turns slice by slice, each on another
 * slice, so that none finds in the caches what the one before it left, and a slow moment hits all.
 * In a repetition every way writes every slice once. `fastest` is the sum over the slices of each
 * one's shortest time: what other programs on the machine disturb least. Ratios are formed within a
 * repetition; their median stands beside the smallest and the largest.
 *
 * The fastest raw fill, the fastest kernel and `linux` are then run by two threads, and all of that
 * again on a memmap of 4 KiB pages.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/format.h"
#include "lib/page_units.h"
#include "lib/stats.h"
#include "mm/init/chunk.h"
#include "mm/init/page_init.h"
#include "smp/dispatch/barrier.h"
#include "smp/dispatch/dispatch.h"
#include "tests/bench/raw_fill.h"
#include "tests/bench/store_memmap.h"

enum {
	REPETITIONS_MAX = 100,
	WAYS_MAX = 48,
	SLICES_MAX = 1024,
	SLICE_STRIDE = 5,    /* from one way to the next */
	PAIR_SLICES = 4,     /* two threads take so many slices at once */
	RATIO_CELL = 32,
};

/* A constant that is no zero: some memory systems handle lines of zeros without moving them, and a
 * struct page is none. */
#define RAW_VALUE 0xa5a5a5a5a5a5a5a5ull

enum kind { KIND_ZERO, KIND_RAW, KIND_STORE, KIND_FREED };

struct way {
	enum kind kind;
	const char *name;
	enum store store;      /* not of raw fills */
	store_function *raw;   /* fills with the value in place of flags */
	uint64_t *fastest_ns;  /* per slice */
	uint64_t ns[REPETITIONS_MAX];
};

/* The fastest raw fill, the fastest kernel, and linux. */
enum member { BEST_RAW, BEST_STORE, LINUX, TRIO };

struct trio {
	struct way ways[TRIO];
	bool ran;
};

struct bench {
	struct bench_memmap memmap;
	struct way ways[WAYS_MAX];
	struct trio two, small, two_small; /* by two threads, on pages of 4 KiB, both */
	uint32_t way_count;
	uint32_t repetitions;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- ways ----------------------------------------------------------------------------------- */

static void add_way(struct bench *b, enum kind kind, enum store store, const char *name,
		    store_function *raw)
{
	struct way *way = &b->ways[b->way_count++];

	*way = (struct way){ .kind = kind, .name = name, .store = store, .raw = raw };
}

/* They need what the kernel with the same instruction does. */
static void add_raw_fills(struct bench *b, enum kind kind, const struct store_features *has)
{
	add_way(b, kind, STORE_PLAIN, "rep stosb", raw_stosb);
	add_way(b, kind, STORE_PLAIN, "memset", raw_memset);
	add_way(b, kind, STORE_NT128, "movntdq 16", raw_nt128);
	if (store_permitted(STORE_NT256, has))
		add_way(b, kind, STORE_NT256, "vmovntdq 32", raw_nt256);
	if (store_permitted(STORE_NT512, has))
		add_way(b, kind, STORE_NT512, "vmovntdq 64", raw_nt512);
}

static void find_ways(struct bench *b, const struct store_features *has)
{
	add_raw_fills(b, KIND_RAW, has);
	add_raw_fills(b, KIND_ZERO, has);
	if (store_permitted(STORE_CLZERO, has))
		add_way(b, KIND_ZERO, STORE_CLZERO, "clzero", raw_clzero);
	for (int kind = KIND_STORE; kind <= KIND_FREED; kind++)
		for (int store = 0; store < STORE_COUNT; store++)
			if (store_permitted((enum store)store, has))
				add_way(b, (enum kind)kind, (enum store)store,
					store_name((enum store)store), NULL);
}

/* As if nothing had been freed there. */
static void take_back(struct bench *b, uint64_t start, uint64_t end)
{
	buddy_reset(b->memmap.buddy);
	memset(b->memmap.pageblocks + start / PAGEBLOCK_PAGES, MIGRATE_UNTYPED,
	       (end - start) / PAGEBLOCK_PAGES);
}

static uint64_t time_way(struct bench *b, const struct way *way, uint64_t slice)
{
	uint64_t start = slice * SLICE_PAGES, end = start + SLICE_PAGES, began;
	struct chunk_args args = { .buddy = b->memmap.buddy, .plan = b->memmap.plan,
				   .store = way->store, .count_managed = true };

	if (way->kind == KIND_FREED)
		take_back(b, start, end);
	began = now_ns();
	if (way->raw)
		way->raw(b->memmap.base + start, b->memmap.base + end,
			 way->kind == KIND_RAW ? RAW_VALUE : 0, 0);
	else if (way->kind == KIND_STORE)
		page_init_frames(b->memmap.base, start, end, 0, FRAME_FREE, way->store);
	else
		chunk_init_and_free(&args, start, end);
	return now_ns() - began;
}

static void keep_time(struct way *way, uint64_t slice, uint32_t repetition, uint64_t ns)
{
	if (ns < way->fastest_ns[slice])
		way->fastest_ns[slice] = ns;
	way->ns[repetition] += ns;
}

static void run_ways(struct bench *b, struct way *ways, uint32_t count, uint32_t repetition)
{
	for (uint64_t step = 0; step < b->memmap.slices; step++)
		for (uint32_t i = 0; i < count; i++) {
			uint64_t w = (i + step) % count;
			uint64_t slice = (step + w * SLICE_STRIDE) % b->memmap.slices;

			keep_time(&ways[w], slice, repetition, time_way(b, &ways[w], slice));
		}
}

/* ---- two threads ---------------------------------------------------------------------------- */

struct pair {
	struct bench *bench;
	const struct way *way;
	uint64_t start_pfn, end_pfn;
	struct chunk_args args;
	struct job_state job;
	struct barrier barrier;
	uint64_t go_ns[2], end_ns[2];
};

struct hand {
	struct pair *pair;
	uint32_t rank;
};

static void *hand_main(void *argument)
{
	struct hand *hand = argument;
	struct pair *pair = hand->pair;
	uint64_t half = (pair->end_pfn - pair->start_pfn) / 2;
	struct page *from = pair->bench->memmap.base + pair->start_pfn + hand->rank * half;

	barrier_wait(&pair->barrier, UINT64_MAX);
	pair->go_ns[hand->rank] = now_ns();
	if (pair->way->raw)
		pair->way->raw(from, from + half, RAW_VALUE, 0);
	else
		dispatch_work(&pair->job, hand->rank, NULL, hand->rank);
	pair->end_ns[hand->rank] = now_ns();
	return NULL;
}

/* From when the first of them starts to when the last has finished. */
static uint64_t time_pair(struct bench *b, const struct way *way, uint64_t slice)
{
	static struct pair pair;
	struct hand hands[2] = { { &pair, 0 }, { &pair, 1 } };
	pthread_attr_t pinned;
	pthread_t ids[2];
	cpu_set_t cpu;

	pair.bench = b;
	pair.way = way;
	pair.start_pfn = slice * SLICE_PAGES;
	pair.end_pfn = pair.start_pfn + PAIR_SLICES * SLICE_PAGES;
	pair.args = (struct chunk_args){ .buddy = b->memmap.buddy, .plan = b->memmap.plan,
					 .store = way->store };
	dispatch_prepare(&pair.job, &(struct job){
		.function = chunk_init, .argument = &pair.args, .start = pair.start_pfn,
		.size = pair.end_pfn - pair.start_pfn, .align = SECTION_PAGES,
		.min_chunk = SECTION_PAGES, .max_workers = 2 });
	barrier_init(&pair.barrier, 2);
	pthread_attr_init(&pinned);
	for (int i = 0; i < 2; i++) {
		CPU_ZERO(&cpu);
		CPU_SET(i, &cpu);
		pthread_attr_setaffinity_np(&pinned, sizeof(cpu), &cpu);
		if (pthread_create(&ids[i], &pinned, hand_main, &hands[i]))
			fail("pthread_create");
	}
	pthread_attr_destroy(&pinned);
	for (int i = 0; i < 2; i++)
		pthread_join(ids[i], NULL);
	return (pair.end_ns[0] > pair.end_ns[1] ? pair.end_ns[0] : pair.end_ns[1]) -
	       (pair.go_ns[0] < pair.go_ns[1] ? pair.go_ns[0] : pair.go_ns[1]);
}

static void run_pair(struct bench *b, struct trio *trio, uint32_t repetition)
{
	for (uint64_t slice = 0; slice + PAIR_SLICES <= b->memmap.slices; slice += PAIR_SLICES)
		for (uint32_t i = 0; i < TRIO; i++) {
			struct way *way = &trio->ways[(i + slice / PAIR_SLICES + repetition) %
						      TRIO];

			keep_time(way, slice, repetition, time_pair(b, way, slice));
		}
}

/* ---- what comes out ------------------------------------------------------------------------- */

static uint64_t fastest(const struct bench *b, const struct way *way)
{
	uint64_t sum = 0;

	for (uint64_t slice = 0; slice < b->memmap.slices; slice++)
		if (way->fastest_ns[slice] != UINT64_MAX)
			sum += way->fastest_ns[slice];
	return sum;
}

static struct way *best_of(struct bench *b, enum kind kind)
{
	struct way *best = NULL;

	for (uint32_t i = 0; i < b->way_count; i++) {
		struct way *way = &b->ways[i];

		if (way->kind == kind && (!best || fastest(b, way) < fastest(b, best)))
			best = way;
	}
	return best;
}

static struct way *way_of(struct bench *b, enum kind kind, enum store store)
{
	for (uint32_t i = 0; i < b->way_count; i++)
		if (b->ways[i].kind == kind && b->ways[i].store == store)
			return &b->ways[i];
	return NULL;
}

static void print_way(const struct bench *b, const struct way *way)
{
	static const char *const kinds[] = { "zero fill", "raw fill", "store", "store and free" };
	uint64_t pages = b->memmap.slices * SLICE_PAGES, samples[REPETITIONS_MAX];
	char cell[5][RATIO_CELL];
	struct summary s;

	memcpy(samples, way->ns, b->repetitions * sizeof(*samples));
	s = stats_summary(samples, b->repetitions);
	printf("%-14s  %-11s  %7s  %7s  %7s  %7s  %7s\n", kinds[way->kind], way->name,
	       format_ratio(cell[0], fastest(b, way), pages, 2),
	       format_ratio(cell[1], pages * sizeof(struct page), fastest(b, way), 2),
	       format_ratio(cell[2], s.median, pages, 2), format_ratio(cell[3], s.min, pages, 2),
	       format_ratio(cell[4], s.max, pages, 2));
}

/* How much faster `way` is than `than`. */
static void print_ratio(const struct bench *b, const char *what, const struct way *way,
			const struct way *than)
{
	uint64_t milli[REPETITIONS_MAX];
	char cell[4][RATIO_CELL];
	struct summary s;

	for (uint32_t r = 0; r < b->repetitions; r++)
		milli[r] = mul_div_u64(than->ns[r], 1000, way->ns[r]);
	s = stats_summary(milli, b->repetitions);
	printf("%-48s  %7s  %7s  %7s  %7s  %s / %s\n", what,
	       format_ratio(cell[0], fastest(b, than), fastest(b, way), 3),
	       format_ratio(cell[1], s.median, 1000, 3), format_ratio(cell[2], s.min, 1000, 3),
	       format_ratio(cell[3], s.max, 1000, 3), way->name, than->name);
}

/* What bounds the kernels' lead over linux, and how near they come. */
static void print_trio(const struct bench *b, const char *how, const struct trio *trio)
{
	char what[64];

	if (!trio->ran)
		return;
	snprintf(what, sizeof(what), "best kernel to best raw fill%s", how);
	print_ratio(b, what, &trio->ways[BEST_STORE], &trio->ways[BEST_RAW]);
	snprintf(what, sizeof(what), "best kernel to linux%s", how);
	print_ratio(b, what, &trio->ways[BEST_STORE], &trio->ways[LINUX]);
	snprintf(what, sizeof(what), "best raw fill to linux%s", how);
	print_ratio(b, what, &trio->ways[BEST_RAW], &trio->ways[LINUX]);
}

static void print_results(struct bench *b)
{
	const struct way *store = best_of(b, KIND_STORE), *freed = best_of(b, KIND_FREED);
	const struct trio one = { { *best_of(b, KIND_RAW), *store,
				    *way_of(b, KIND_STORE, STORE_LINUX) }, true };

	printf("\n%-14s  %-11s  %7s  %7s  %7s  %7s  %7s\n", "one thread", "", "fastest", "",
	       "median", "min", "max");
	printf("%-14s  %-11s  %7s  %7s  %7s  %7s  %7s\n", "", "", "ns/page", "GB/s", "ns/page",
	       "ns/page", "ns/page");
	for (uint32_t i = 0; i < b->way_count; i++)
		print_way(b, &b->ways[i]);
	printf("\n%-48s  %7s  %7s  %7s  %7s\n", "speed, as a ratio", "fastest", "median", "min",
	       "max");
	print_trio(b, "", &one);
	print_ratio(b, "best kernel to plain", store, way_of(b, KIND_STORE, STORE_PLAIN));
	print_ratio(b, "best kernel to linux, with freeing", freed,
		    way_of(b, KIND_FREED, STORE_LINUX));
	print_ratio(b, "best alone to best, with freeing", way_of(b, KIND_FREED, store->store),
		    freed);
	printf("kernels of two threads through the dispatcher, raw fills in two halves:\n");
	print_trio(b, ", two threads", &b->two);
	print_trio(b, ", 4 KiB pages", &b->small);
	print_trio(b, ", 4 KiB, two threads", &b->two_small);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void forget_times(struct way *way)
{
	way->fastest_ns = malloc(SLICES_MAX * sizeof(*way->fastest_ns));
	if (!way->fastest_ns)
		fail("memory for the times");
	memset(way->fastest_ns, 0xff, SLICES_MAX * sizeof(*way->fastest_ns));
	memset(way->ns, 0, sizeof(way->ns));
}

static void run_one_thread(struct bench *b)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		fail("sched_setaffinity");
	for (uint32_t i = 0; i < b->way_count; i++)
		forget_times(&b->ways[i]);
	for (uint32_t r = 0; r < b->repetitions; r++)
		run_ways(b, b->ways, b->way_count, r);
}

static void choose_trio(struct bench *b, struct trio *trio)
{
	trio->ways[BEST_RAW] = *best_of(b, KIND_RAW);
	trio->ways[BEST_STORE] = *best_of(b, KIND_STORE);
	trio->ways[LINUX] = *way_of(b, KIND_STORE, STORE_LINUX);
	for (uint32_t i = 0; i < TRIO; i++)
		forget_times(&trio->ways[i]);
	trio->ran = true;
}

static void run_two_threads(struct bench *b, struct trio *trio)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return;
	choose_trio(b, trio);
	for (uint32_t r = 0; r < b->repetitions; r++)
		run_pair(b, trio, r);
}

static void run_small_pages(struct bench *b)
{
	map_small(&b->memmap);
	choose_trio(b, &b->small);
	for (uint32_t r = 0; r < b->repetitions; r++)
		run_ways(b, b->small.ways, TRIO, r);
	run_two_threads(b, &b->two_small);
}

static void print_cpu(void)
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

static unsigned long number(const char *text, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || !value || value > most) {
		fprintf(stderr, "bench_store: '%s' is not a number from 1 to %lu\n", text, most);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	static struct bench b;
	struct store_features has;
	char list[160];

	b.memmap.slices = (argc > 1 ? number(argv[1], 64) : 4) * ((1ull << 30) / SLICE_BYTES);
	b.repetitions = argc > 2 ? (uint32_t)number(argv[2], REPETITIONS_MAX) : 5;
	store_features_read(&has);
	store_list(&has, list, sizeof(list));
	map_memmap(&b.memmap);
	set_up_allocator(&b.memmap);
	find_ways(&b, &has);
	print_cpu();
	printf("store kernels: %s\nmemmap: %llu MiB, %s; %u repetitions\n", list,
	       (unsigned long long)(b.memmap.slices * SLICE_BYTES >> 20), b.memmap.mapped,
	       b.repetitions);
	run_one_thread(&b);
	run_two_threads(&b, &b.two);
	run_small_pages(&b);
	if (!b.two.ran)
		printf("one CPU: nothing of two threads\n");
	print_results(&b);
	return 0;
}
