/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Native benchmark of the initialisation loop, of the dispatcher and of handing pages to the page
 * allocator, on the pure objects.
 *
 *   bench_init [SECTIONS [REPETITIONS]]
 *
 * Absolute times of a shared machine mean little, so what is printed are ratios of two ways to do
 * the same thing in the same run: all ways take turns in every repetition, a ratio is formed within
 * a repetition, and its median stands beside its spread. `fastest` is the ratio of the two shortest
 * times, which other programs on the machine disturb least.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/cpu.h"
#include "lib/page_units.h"
#include "lib/stats.h"
#include "mm/init/chunk.h"
#include "mm/init/page_init.h"
#include "smp/dispatch/barrier.h"
#include "smp/dispatch/dispatch.h"

enum { THREADS_MAX = 2, REPETITIONS_MAX = 1000, SECTIONS_MAX = 4096, RATIO_ONE = 10000 };

/* What is done to a piece of the memmap, or to all of it through the dispatcher. */
enum way {
	WAY_FILL, WAY_MEMSET, WAY_LOOP, WAY_CLAIMS, WAY_DISPATCH, WAY_FUSED, WAY_TWO, WAY_LAZY,
	WAYS
};

static const char *const way_names[WAYS] = {
	"fill", "memset", "page_init", "claims", "dispatch", "fused", "two", "lazy",
};

static const char legend[] =
	"fill       eight stores of a constant per struct page\n"
	"memset     the C library's\n"
	"page_init  page_init_frames over each thread's share\n"
	"claims     a function that does nothing, claimed section by section: what the dispatcher\n"
	"           itself costs, its log included\n"
	"dispatch   chunk_init, claimed section by section\n"
	"fused      chunk_init_and_free: the same, and freed 4 MiB at a time\n"
	"two        chunk_init for all, then chunk_free for all\n"
	"lazy       chunk_lazy: a struct page per 4 MiB\n";

struct bench {
	struct page *base;
	uint64_t pages;
	struct init_span span;
	struct init_plan *plan;
	struct chunk_args args;
	struct buddy *buddy;
	uint8_t *pageblocks;
	struct job_state job, second; /* the second pass of WAY_TWO */
	struct claim_log log;
	struct claim claims[2 * SECTIONS_MAX];
	struct barrier barrier;
	enum way way;
	uint32_t threads;
};

struct hand {
	struct bench *bench;
	uint32_t rank;
	uint64_t go_tsc, end_tsc;
};

/* The least that can be done with as many stores: no address in what is stored. Volatile, lest the
 * compiler makes fewer and wider stores of them. */
static void fill(struct page *from, struct page *to)
{
	typedef volatile uint64_t __attribute__((may_alias)) word;

	for (word *w = (word *)from; w != (word *)to; w += 8)
		for (int i = 0; i < 8; i++)
			w[i] = 0;
}

static void do_piece(struct bench *b, uint32_t rank)
{
	uint64_t start = b->pages * rank / b->threads, end = b->pages * (rank + 1) / b->threads;

	switch (b->way) {
	case WAY_FILL:
		fill(b->base + start, b->base + end);
		break;
	case WAY_MEMSET:
		memset(b->base + start, 0, (end - start) * sizeof(struct page));
		break;
	case WAY_LOOP:
		page_init_frames(b->base, start, end, 0, FRAME_FREE, STORE_PLAIN);
		break;
	default:
		dispatch_work(&b->job, rank, &b->log, rank);
	}
	if (b->way == WAY_TWO) {
		while (!dispatch_finished(&b->job))
			cpu_pause();
		dispatch_work(&b->second, rank, &b->log, rank);
	}
}

static void *hand_main(void *argument)
{
	struct hand *hand = argument;

	hand->go_tsc = barrier_wait(&hand->bench->barrier, UINT64_MAX);
	do_piece(hand->bench, hand->rank);
	hand->end_tsc = tsc_ordered();
	return NULL;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void do_nothing(void *argument, uint64_t start, uint64_t end)
{
	(void)argument;
	(void)start;
	(void)end;
}

/* One section per chunk: as many workers allowed as there are sections. */
static void prepare_job(struct bench *b)
{
	struct job job = {
		.function = chunk_init,
		.argument = &b->args,
		.size = b->pages,
		.exact_chunk = SECTION_PAGES,
		.max_workers = (uint32_t)(b->pages / SECTION_PAGES),
	};

	if (b->way == WAY_CLAIMS)
		job.function = do_nothing;
	if (b->way == WAY_FUSED)
		job.function = chunk_init_and_free;
	if (b->way == WAY_LAZY)
		job.function = chunk_lazy;
	dispatch_prepare(&b->job, &job);
	job.function = chunk_free;
	dispatch_prepare(&b->second, &job);
	claim_log_init(&b->log, b->claims, 2 * SECTIONS_MAX);
	buddy_reset(b->buddy);
	memset(b->pageblocks, MIGRATE_UNTYPED, b->pages / PAGEBLOCK_PAGES);
}

/* Cycles from the moment at which all threads stand ready until the last is done. */
static uint64_t measure(struct bench *b, enum way way, uint32_t threads)
{
	struct hand hands[THREADS_MAX];
	pthread_t ids[THREADS_MAX];
	uint64_t slowest = 0;

	b->way = way;
	b->threads = threads;
	prepare_job(b);
	barrier_init(&b->barrier, threads);
	for (uint32_t i = 0; i < threads; i++) {
		hands[i] = (struct hand){ .bench = b, .rank = i };
		if (pthread_create(&ids[i], NULL, hand_main, &hands[i]))
			fail("pthread_create");
	}
	for (uint32_t i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		if (hands[i].end_tsc > hands[i].go_tsc + slowest)
			slowest = hands[i].end_tsc - hands[i].go_tsc;
	}
	return slowest;
}

/* In ten-thousandths: the dispatcher's share is of that size. */
static void print_ratio_value(uint64_t ratio)
{
	printf("  %4llu.%04llu", (unsigned long long)ratio / RATIO_ONE,
	       (unsigned long long)ratio % RATIO_ONE);
}

static void print_ratio(uint64_t cycles[WAYS][REPETITIONS_MAX], enum way over, enum way under,
			uint32_t threads, uint32_t repetitions)
{
	uint64_t ratios[REPETITIONS_MAX], best_over = UINT64_MAX, best_under = UINT64_MAX;
	struct summary s;

	for (uint32_t r = 0; r < repetitions; r++) {
		ratios[r] = mul_div_u64(cycles[over][r], RATIO_ONE, cycles[under][r]);
		best_over = cycles[over][r] < best_over ? cycles[over][r] : best_over;
		best_under = cycles[under][r] < best_under ? cycles[under][r] : best_under;
	}
	s = stats_summary(ratios, repetitions);
	printf("%7u", threads);
	print_ratio_value(mul_div_u64(best_over, RATIO_ONE, best_under));
	print_ratio_value(s.median);
	print_ratio_value(s.min);
	print_ratio_value(s.max);
	print_ratio_value(s.stddev);
	printf("  %s / %s\n", way_names[over], way_names[under]);
}

static void run_threads(struct bench *b, uint32_t threads, uint32_t repetitions)
{
	static uint64_t cycles[WAYS][REPETITIONS_MAX];

	/* The order turns, so that no way always follows the same other one. */
	for (uint32_t r = 0; r < repetitions; r++)
		for (uint32_t i = 0; i < WAYS; i++) {
			enum way way = (enum way)((i + r) % WAYS);

			cycles[way][r] = measure(b, way, threads);
		}
	print_ratio(cycles, WAY_LOOP, WAY_FILL, threads, repetitions);
	print_ratio(cycles, WAY_LOOP, WAY_MEMSET, threads, repetitions);
	print_ratio(cycles, WAY_CLAIMS, WAY_LOOP, threads, repetitions);
	print_ratio(cycles, WAY_DISPATCH, WAY_LOOP, threads, repetitions);
	print_ratio(cycles, WAY_FUSED, WAY_DISPATCH, threads, repetitions);
	print_ratio(cycles, WAY_TWO, WAY_FUSED, threads, repetitions);
	print_ratio(cycles, WAY_LAZY, WAY_FUSED, threads, repetitions);
}

/* One node; all free memory is deferred. */
static void set_up_allocator(struct bench *b)
{
	static const uint64_t ends[ZONE_COUNT] = { ZONE_DMA_END_PFN, ZONE_DMA32_END_PFN,
						   UINT64_MAX };
	uint64_t start = 0;

	b->buddy = aligned_alloc(64, (sizeof(*b->buddy) + 63) / 64 * 64);
	b->pageblocks = malloc(b->pages / PAGEBLOCK_PAGES);
	if (!b->buddy || !b->pageblocks)
		fail("memory for the page allocator");
	memset(b->buddy, 0, sizeof(*b->buddy));
	b->buddy->base = b->base;
	b->buddy->pageblocks = b->pageblocks;
	b->buddy->fill = chunk_fill_lazy;
	b->buddy->fill_context = b->buddy;
	for (int type = 0; type < ZONE_COUNT && start < b->pages; type++) {
		struct zone_area *zone = &b->buddy->zones[0][type];

		zone->start_pfn = start;
		zone->end_pfn = ends[type] < b->pages ? ends[type] : b->pages;
		start = zone->end_pfn;
	}
	b->args = (struct chunk_args){ .buddy = b->buddy, .plan = b->plan, .count_managed = true };
}

static struct bench *bench_new(uint64_t sections)
{
	struct bench *b = aligned_alloc(64, (sizeof(*b) + 63) / 64 * 64);
	uint64_t bytes = sections * SECTION_PAGES * sizeof(struct page);

	if (!b)
		fail("aligned_alloc");
	memset(b, 0, sizeof(*b));
	b->pages = sections * SECTION_PAGES;
	b->base = mmap(NULL, bytes + HUGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	b->plan = calloc(1, sizeof(*b->plan));
	if (b->base == MAP_FAILED || !b->plan)
		fail("memory for the memmap");
	/* as the kernel maps it: huge pages, all present before the clock runs */
	b->base = (struct page *)(((uintptr_t)b->base + HUGE_PAGE_BYTES - 1) &
				  ~(HUGE_PAGE_BYTES - 1));
	madvise(b->base, bytes, MADV_HUGEPAGE);
	memset(b->base, PAGE_POISON_BYTE, bytes);
	b->span = (struct init_span){ 0, b->pages, 0, FRAME_FREE, true };
	b->plan->spans = &b->span;
	b->plan->span_count = 1;
	set_up_allocator(b);
	return b;
}

static unsigned long number(const char *text, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || !value || value > most) {
		fprintf(stderr, "bench_init: '%s' is not a number from 1 to %lu\n", text, most);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	uint64_t sections = argc > 1 ? number(argv[1], SECTIONS_MAX) : 64;
	uint32_t repetitions = argc > 2 ? (uint32_t)number(argv[2], REPETITIONS_MAX) : 21;
	struct bench *b = bench_new(sections);

	printf("memmap of %llu sections: %llu MiB; %u repetitions\n", (unsigned long long)sections,
	       (unsigned long long)sections * 2, repetitions);
	printf("%s", legend);
	printf("threads    fastest     median        min        max     stddev  ratio of cycles\n");
	for (uint32_t threads = 1; threads <= THREADS_MAX; threads++)
		run_threads(b, threads, repetitions);
	free(b->pageblocks);
	free(b->buddy);
	free(b->plan);
	free(b);
	return 0;
}
