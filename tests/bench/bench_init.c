/*
 * Native benchmark of the initialisation loop and of the dispatcher, on the pure objects.
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
#include "mm/page_init.h"
#include "smp/barrier.h"
#include "smp/dispatch.h"

enum { THREADS_MAX = 2, REPETITIONS_MAX = 1000, SECTIONS_MAX = 4096 };

/* What is done to a piece of the memmap, or to all of it through the dispatcher. */
enum way { WAY_FILL, WAY_MEMSET, WAY_LOOP, WAY_DISPATCH, WAYS };

static const char *const way_names[WAYS] = { "fill", "memset", "page_init", "dispatch" };

static const char legend[] =
	"fill       eight stores of a constant per struct page\n"
	"memset     the C library's\n"
	"page_init  page_init_frames over each thread's share\n"
	"dispatch   page_init_chunk, claimed section by section\n";

struct bench {
	struct page *base;
	uint64_t pages;
	struct init_span span;
	struct init_plan *plan;
	struct page_init_args args;
	struct job_state job;
	struct claim_log log;
	struct claim claims[SECTIONS_MAX];
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
		page_init_frames(b->base, start, end, 0, FRAME_FREE);
		break;
	case WAY_DISPATCH:
	default:
		dispatch_work(&b->job, rank, &b->log, rank);
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

/* One section per chunk: as many workers allowed as there are sections. */
static void prepare_job(struct bench *b)
{
	dispatch_prepare(&b->job, &(struct job){
		.function = page_init_chunk,
		.argument = &b->args,
		.size = b->pages,
		.align = SECTION_PAGES,
		.min_chunk = SECTION_PAGES,
		.max_workers = (uint32_t)(b->pages / SECTION_PAGES),
	});
	claim_log_init(&b->log, b->claims, SECTIONS_MAX);
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

static void print_milli(uint64_t milli)
{
	printf("  %5llu.%03llu", (unsigned long long)milli / 1000,
	       (unsigned long long)milli % 1000);
}

static void print_ratio(uint64_t cycles[WAYS][REPETITIONS_MAX], enum way over, enum way under,
			uint32_t threads, uint32_t repetitions)
{
	uint64_t ratios[REPETITIONS_MAX], best_over = UINT64_MAX, best_under = UINT64_MAX;
	struct summary s;

	for (uint32_t r = 0; r < repetitions; r++) {
		ratios[r] = mul_div_u64(cycles[over][r], 1000, cycles[under][r]);
		best_over = cycles[over][r] < best_over ? cycles[over][r] : best_over;
		best_under = cycles[under][r] < best_under ? cycles[under][r] : best_under;
	}
	s = stats_summary(ratios, repetitions);
	printf("%7u", threads);
	print_milli(mul_div_u64(best_over, 1000, best_under));
	print_milli(s.median);
	print_milli(s.min);
	print_milli(s.max);
	print_milli(s.stddev);
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
	print_ratio(cycles, WAY_DISPATCH, WAY_LOOP, threads, repetitions);
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
	b->args = (struct page_init_args){ b->base, b->plan, 0 };
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
	free(b->plan);
	free(b);
	return 0;
}
