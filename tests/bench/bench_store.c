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
 */
#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "lib/format.h"
#include "lib/page_units.h"
#include "lib/stats.h"
#include "mm/chunk.h"
#include "mm/page_init.h"
#include "smp/barrier.h"
#include "smp/dispatch.h"

enum {
	REPETITIONS_MAX = 100,
	WAYS_MAX = 48,
	SLICE_SECTIONS = 32, /* 64 MiB of memmap */
	SLICES_MAX = 1024,
	SLICE_STRIDE = 5,    /* from one way to the next */
	PAIR_SLICES = 4,     /* two threads take so many slices at once */
	RATIO_CELL = 32,
};
#define SLICE_PAGES (SLICE_SECTIONS * SECTION_PAGES)
#define SLICE_BYTES (SLICE_PAGES * sizeof(struct page))

/* A constant that is no zero: some memory systems handle lines of zeros without moving them, and a
 * struct page is none. */
#define RAW_VALUE 0xa5a5a5a5a5a5a5a5ull

enum kind { KIND_ZERO, KIND_RAW, KIND_STORE, KIND_FREED, KIND_PAIR_RAW, KIND_PAIR_STORE };

struct way {
	enum kind kind;
	const char *name;
	enum store store;      /* not of raw fills */
	store_function *raw;   /* fills with the value in place of flags */
	uint64_t *fastest_ns;  /* per slice */
	uint64_t ns[REPETITIONS_MAX];
};

struct bench {
	struct page *base;
	uint64_t slices;
	const char *mapped;
	struct init_span span;
	struct init_plan *plan;
	struct buddy *buddy;
	uint8_t *pageblocks;
	struct way ways[WAYS_MAX], pair[2];
	uint32_t way_count;
	uint32_t repetitions;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- raw fills: `value` everywhere ---------------------------------------------------------- */

static void raw_stosb(struct page *from, struct page *to, uint64_t value, uint64_t unused)
{
	uint64_t bytes = (uint64_t)((char *)to - (char *)from);

	(void)unused;
	__asm__ volatile("rep stosb" : "+D"(from), "+c"(bytes) : "a"(value) : "memory");
}

static void raw_memset(struct page *from, struct page *to, uint64_t value, uint64_t unused)
{
	(void)unused;
	memset(from, (int)value, (size_t)((char *)to - (char *)from));
}

static void raw_nt128(struct page *from, struct page *to, uint64_t value, uint64_t unused)
{
	const __m128i v = _mm_set1_epi64x((long long)value);

	(void)unused;
	for (__m128i *at = (__m128i *)from; at != (__m128i *)to; at += 4)
		for (int i = 0; i < 4; i++)
			_mm_stream_si128(at + i, v);
	_mm_sfence();
}

__attribute__((target("avx2"))) static void raw_nt256(struct page *from, struct page *to,
						      uint64_t value, uint64_t unused)
{
	const __m256i v = _mm256_set1_epi64x((long long)value);

	(void)unused;
	for (__m256i *at = (__m256i *)from; at != (__m256i *)to; at += 2) {
		_mm256_stream_si256(at, v);
		_mm256_stream_si256(at + 1, v);
	}
	_mm_sfence();
}

__attribute__((target("avx512f"))) static void raw_nt512(struct page *from, struct page *to,
							 uint64_t value, uint64_t unused)
{
	const __m512i v = _mm512_set1_epi64((long long)value);

	(void)unused;
	for (__m512i *at = (__m512i *)from; at != (__m512i *)to; at++)
		_mm512_stream_si512(at, v);
	_mm_sfence();
}

__attribute__((target("clzero"))) static void raw_clzero(struct page *from, struct page *to,
							 uint64_t value, uint64_t unused)
{
	(void)value, (void)unused;
	for (; from != to; from++)
		_mm_clzero(from);
	_mm_sfence();
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
					store_kernel((enum store)store)->name, NULL);
}

/* As if nothing had been freed there. */
static void take_back(struct bench *b, uint64_t start, uint64_t end)
{
	buddy_reset(b->buddy);
	memset(b->pageblocks + start / PAGEBLOCK_PAGES, MIGRATE_UNTYPED,
	       (end - start) / PAGEBLOCK_PAGES);
}

static uint64_t time_way(struct bench *b, const struct way *way, uint64_t slice)
{
	uint64_t start = slice * SLICE_PAGES, end = start + SLICE_PAGES, began;
	struct chunk_args args = { .buddy = b->buddy, .plan = b->plan, .store = way->store,
				   .count_managed = true };

	if (way->kind == KIND_FREED)
		take_back(b, start, end);
	began = now_ns();
	if (way->raw)
		way->raw(b->base + start, b->base + end, way->kind == KIND_RAW ? RAW_VALUE : 0, 0);
	else if (way->kind == KIND_STORE)
		page_init_frames(b->base, start, end, 0, FRAME_FREE, way->store);
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

static void run_ways(struct bench *b, uint32_t repetition)
{
	for (uint64_t step = 0; step < b->slices; step++)
		for (uint32_t i = 0; i < b->way_count; i++) {
			uint64_t w = (i + step) % b->way_count;
			uint64_t slice = (step + w * SLICE_STRIDE) % b->slices;

			keep_time(&b->ways[w], slice, repetition,
				  time_way(b, &b->ways[w], slice));
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
	struct page *from = pair->bench->base + pair->start_pfn + hand->rank * half;

	barrier_wait(&pair->barrier, UINT64_MAX);
	pair->go_ns[hand->rank] = now_ns();
	if (pair->way->kind == KIND_PAIR_RAW)
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
	pair.args = (struct chunk_args){ .buddy = b->buddy, .plan = b->plan, .store = way->store };
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

static void run_pair(struct bench *b, uint32_t repetition)
{
	for (uint64_t slice = 0; slice + PAIR_SLICES <= b->slices; slice += PAIR_SLICES)
		for (uint32_t i = 0; i < 2; i++) {
			struct way *way = &b->pair[(i + slice / PAIR_SLICES + repetition) % 2];

			keep_time(way, slice, repetition, time_pair(b, way, slice));
		}
}

/* ---- what comes out ------------------------------------------------------------------------- */

static uint64_t fastest(const struct bench *b, const struct way *way)
{
	uint64_t sum = 0;

	for (uint64_t slice = 0; slice < b->slices; slice++)
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
	uint64_t pages = b->slices * SLICE_PAGES, samples[REPETITIONS_MAX];
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
	printf("%-40s  %7s  %7s  %7s  %7s  %s / %s\n", what,
	       format_ratio(cell[0], fastest(b, than), fastest(b, way), 3),
	       format_ratio(cell[1], s.median, 1000, 3), format_ratio(cell[2], s.min, 1000, 3),
	       format_ratio(cell[3], s.max, 1000, 3), way->name, than->name);
}

static void print_results(struct bench *b)
{
	const struct way *store = best_of(b, KIND_STORE), *freed = best_of(b, KIND_FREED);

	printf("\n%-14s  %-11s  %7s  %7s  %7s  %7s  %7s\n", "one thread", "", "fastest", "",
	       "median", "min", "max");
	printf("%-14s  %-11s  %7s  %7s  %7s  %7s  %7s\n", "", "", "ns/page", "GB/s", "ns/page",
	       "ns/page", "ns/page");
	for (uint32_t i = 0; i < b->way_count; i++)
		print_way(b, &b->ways[i]);
	printf("\n%-40s  %7s  %7s  %7s  %7s\n", "speed, as a ratio", "fastest", "median", "min",
	       "max");
	print_ratio(b, "best kernel to best raw fill", store, best_of(b, KIND_RAW));
	print_ratio(b, "best kernel to linux", store, way_of(b, KIND_STORE, STORE_LINUX));
	print_ratio(b, "best kernel to plain", store, way_of(b, KIND_STORE, STORE_PLAIN));
	print_ratio(b, "best kernel to linux, with freeing", freed,
		    way_of(b, KIND_FREED, STORE_LINUX));
	print_ratio(b, "best alone to best, with freeing", way_of(b, KIND_FREED, store->store),
		    freed);
	if (b->pair[0].raw)
		print_ratio(b, "two threads, dispatcher to raw fill", &b->pair[1], &b->pair[0]);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Huge pages that were set aside, else those that the kernel gives on request; all present before
 * the clock runs. */
static void map_memmap(struct bench *b)
{
	uint64_t bytes = b->slices * SLICE_BYTES;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	b->mapped = "MAP_HUGETLB";
	if (memory == MAP_FAILED) {
		b->mapped = "madvise(MADV_HUGEPAGE)";
		memory = mmap(NULL, bytes + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			fail("memory for the memmap");
		memory += HUGE_PAGE_BYTES - (uintptr_t)memory % HUGE_PAGE_BYTES;
		if (madvise(memory, bytes, MADV_HUGEPAGE))
			b->mapped = "pages of 4 KiB: madvise failed";
	}
	memset(memory, PAGE_POISON_BYTE, bytes);
	b->base = (struct page *)memory;
}

/* One node; all of its memory is deferred. */
static void set_up_allocator(struct bench *b)
{
	static const uint64_t ends[ZONE_COUNT] = { ZONE_DMA_END_PFN, ZONE_DMA32_END_PFN,
						   UINT64_MAX };
	uint64_t pages = b->slices * SLICE_PAGES, start = 0;

	b->plan = calloc(1, sizeof(*b->plan));
	b->buddy = aligned_alloc(64, (sizeof(*b->buddy) + 63) / 64 * 64);
	b->pageblocks = malloc(pages / PAGEBLOCK_PAGES);
	if (!b->plan || !b->buddy || !b->pageblocks)
		fail("memory for the page allocator");
	b->span = (struct init_span){ 0, pages, 0, FRAME_FREE, true };
	b->plan->spans = &b->span;
	b->plan->span_count = 1;
	memset(b->buddy, 0, sizeof(*b->buddy));
	b->buddy->base = b->base;
	b->buddy->pageblocks = b->pageblocks;
	for (int type = 0; type < ZONE_COUNT && start < pages; type++) {
		struct zone_area *zone = &b->buddy->zones[0][type];

		zone->start_pfn = start;
		zone->end_pfn = ends[type] < pages ? ends[type] : pages;
		start = zone->end_pfn;
	}
}

static void forget_times(struct way *way)
{
	way->fastest_ns = malloc(SLICES_MAX * sizeof(*way->fastest_ns));
	if (!way->fastest_ns)
		fail("memory for the times");
	memset(way->fastest_ns, 0xff, SLICES_MAX * sizeof(*way->fastest_ns));
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
		run_ways(b, r);
}

/* The best of both kinds against each other. */
static void run_two_threads(struct bench *b)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		printf("one CPU: nothing of two threads\n");
		return;
	}
	b->pair[0] = *best_of(b, KIND_RAW);
	b->pair[0].kind = KIND_PAIR_RAW;
	b->pair[1] = *best_of(b, KIND_STORE);
	b->pair[1].kind = KIND_PAIR_STORE;
	for (uint32_t i = 0; i < 2; i++) {
		forget_times(&b->pair[i]);
		memset(b->pair[i].ns, 0, sizeof(b->pair[i].ns));
	}
	for (uint32_t r = 0; r < b->repetitions; r++)
		run_pair(b, r);
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

	b.slices = (argc > 1 ? number(argv[1], 64) : 4) * ((1ull << 30) / SLICE_BYTES);
	b.repetitions = argc > 2 ? (uint32_t)number(argv[2], REPETITIONS_MAX) : 5;
	store_features_read(&has);
	store_list(&has, list, sizeof(list));
	map_memmap(&b);
	set_up_allocator(&b);
	find_ways(&b, &has);
	print_cpu();
	printf("store kernels: %s\nmemmap: %llu MiB, %s; %u repetitions\n", list,
	       (unsigned long long)(b.slices * SLICE_BYTES >> 20), b.mapped, b.repetitions);
	run_one_thread(&b);
	run_two_threads(&b);
	print_results(&b);
	return 0;
}
