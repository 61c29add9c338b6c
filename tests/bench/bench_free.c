/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Native benchmark of freeing a mapping of 4 KiB pages, in all ways of mm/unmap/unmap.h.
 *
 *   bench_free [REPETITIONS]
 *
 * A run builds page tables and a mapping of 15 sixteenths of 4 GiB, mixes a share of its entries
 * and then, on pinned threads, takes it apart: only that is timed, from when the first thread
 * starts to when the last has finished. All pages must be back after it. In a repetition every way
 * runs once for each share, one behind the other, beginning with another way each time. Ratios are
 * formed within a repetition, but for those of column `fastest`, which are of the shortest times:
 * what other programs on the machine disturb least.
 *
 * Before the clock starts, all threads read a large array, so that the caches hold nothing of the
 * mapping and nothing that somebody would have to write back. Rows `touch` free nothing: they read
 * and write a word in each struct page, which is what the memory lets anyone do.
 *
 * There is no memory behind the pages that are mapped, but for those that become tables or batches.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "lib/format.h"
#include "lib/stats.h"
#include "mm/unmap/address_space_fill.h"
#include "mm/unmap/address_space_mix.h"
#include "mm/unmap/unmap.h"
#include "smp/dispatch/barrier.h"
#include "tests/bench/page_machine.h"

enum {
	REPETITIONS_MAX = 100,
	ENTRIES = PAGES / 16 * 15,
	FRAGMENTS = 3,
	MIX_SEED = 42,
	CELL = 32,
	COLD_BYTES = 256 << 20,
	PUBLISHED_TENTHS = 569, /* ns per page, 8 workers [Aaron Lu, series of 2017] */
	GOAL_TENTHS = 200,      /* on one CPU */
	GOAL_SPEEDUP_TENTHS = 18,
};
static const uint32_t fragments[FRAGMENTS] = { 0, 50, 100 };

struct row {
	const char *name;
	enum free_way way; /* FREE_COUNT: nothing is freed, struct pages are touched */
	uint32_t threads;
	uint32_t gather;
	bool pieces;
	uint64_t ns[FRAGMENTS][REPETITIONS_MAX];
	uint64_t holds[FRAGMENTS], contended[FRAGMENTS]; /* of the zone's lock, all repetitions */
};

static struct row rows[] = {
	{ .name = "vanilla", .way = FREE_VANILLA, .threads = 1 },
	{ .name = "batch, 256K pages", .way = FREE_BATCH, .threads = 2,
	  .gather = BATCH_GATHER_DEFAULT },
	{ .name = "batch, gather=1030", .way = FREE_BATCH, .threads = 2,
	  .gather = BATCH_GATHER_TUNED },
	{ .name = "pieces", .way = FREE_PIECES, .threads = 1, .pieces = true },
	{ .name = "pieces", .way = FREE_PIECES, .threads = 2, .pieces = true },
	{ .name = "owned", .way = FREE_OWNED, .threads = 1 },
	{ .name = "owned", .way = FREE_OWNED, .threads = 2 },
	{ .name = "touch", .way = FREE_COUNT, .threads = 1 },
	{ .name = "touch", .way = FREE_COUNT, .threads = 2 },
};
enum { VANILLA, OWNED = 5, OWNED_PAIR, TOUCH, TOUCH_PAIR, ROWS };

struct bench {
	struct page_machine machine;
	struct address_space space;
	uint8_t *base, *cold;
	void *state;
	uint32_t repetitions;
	struct unmap_rank ranks[CPUS];
	struct unmap_job job;
	const struct unmap_way *way;
	uint32_t fragment;
};

/* ---- threads ----------------------------------------------------------------------------- */

struct team {
	struct bench *bench;
	void (*work)(struct bench *bench, uint32_t rank);
	struct barrier barrier;
	uint64_t go_ns[CPUS], end_ns[CPUS];
};

struct member {
	struct team *team;
	uint32_t rank;
	pthread_t id;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void *member_main(void *argument)
{
	struct member *member = argument;
	struct team *team = member->team;

	machine_pin(&team->bench->machine, member->rank);
	barrier_wait(&team->barrier, UINT64_MAX);
	team->go_ns[member->rank] = now_ns();
	team->work(team->bench, member->rank);
	team->end_ns[member->rank] = now_ns();
	return NULL;
}

/* Returns from the start of the first to the end of the last, in ns. */
static uint64_t run_team(struct bench *b, uint32_t threads,
			 void (*work)(struct bench *bench, uint32_t rank))
{
	struct team team = { .bench = b, .work = work };
	struct member members[CPUS];
	uint64_t go = UINT64_MAX, end = 0;

	barrier_init(&team.barrier, threads);
	for (uint32_t i = 0; i < threads; i++) {
		members[i] = (struct member){ .team = &team, .rank = i };
		if (pthread_create(&members[i].id, NULL, member_main, &members[i]))
			fail("pthread_create");
	}
	for (uint32_t i = 0; i < threads; i++) {
		pthread_join(members[i].id, NULL);
		go = team.go_ns[i] < go ? team.go_ns[i] : go;
		end = team.end_ns[i] > end ? team.end_ns[i] : end;
	}
	return end - go;
}

/* ---- a run ------------------------------------------------------------------------------- */

static void mix(struct bench *b, uint32_t rank)
{
	address_space_mix(&b->space, b->fragment, MIX_SEED,
			  (uint64_t)ENTRIES * rank / b->machine.cpu_count,
			  (uint64_t)ENTRIES * (rank + 1) / b->machine.cpu_count);
}

static void build(struct bench *b, uint32_t fragment)
{
	static const struct address_space_supply supply = { { ENTRIES } };

	page_allocator_init(&b->machine.allocator, PCP_NONE, b->machine.state);
	b->space = (struct address_space){
		.allocator = &b->machine.allocator,
		.base = b->base,
		.mapping = MAPPING_4K,
		.entries = ENTRIES,
		.node_count = 1,
		.root_pfn = BUDDY_NONE,
	};
	b->fragment = fragment;
	if (!address_space_open(&b->space, 0, 0) ||
	    !address_space_fill(&b->space, &supply, 0, 0, address_space_leaf_tables(&b->space))) {
		fprintf(stderr, "bench_free: too few pages for the mapping\n");
		exit(1);
	}
	if (fragment)
		run_team(b, b->machine.cpu_count, mix);
}

/* So that no way finds struct pages or tables in the caches, nor has lines to write back that are
 * not its own. */
static void cool(struct bench *b, uint32_t rank)
{
	uint64_t sum = 0;

	(void)rank;
	for (size_t i = 0; i < COLD_BYTES; i += 64)
		sum += b->cold[i];
	__asm__ volatile("" : : "r"(sum));
}

static void describe(struct bench *b, const struct row *row)
{
	b->job = (struct unmap_job){
		.space = &b->space,
		.ranks = b->ranks,
		.rank_count = row->threads,
		.gather = row->gather,
		.pieces = row->pieces,
		.patience_cycles = UINT64_MAX,
		.state = b->state,
	};
	for (uint32_t i = 0; i < CPUS; i++)
		b->ranks[i] = (struct unmap_rank){ .cpu = i };
}

static void take_apart(struct bench *b, uint32_t rank)
{
	b->way->work(&b->job, rank);
}

static void free_mapping(struct bench *b, struct row *row, uint32_t fragment, uint32_t repetition)
{
	const struct zone_lock *lock = &b->machine.buddy->zones[0][ZONE_NORMAL].lock;
	const struct unmap_way *way = unmap_way(row->way);
	uint64_t holds, contended;

	build(b, fragments[fragment]);
	page_allocator_init(&b->machine.allocator, way->pcp, b->machine.state);
	describe(b, row);
	way->prepare(&b->job);
	run_team(b, b->machine.cpu_count, cool);
	holds = lock->acquisitions;
	contended = lock->contended;
	b->way = way;
	row->ns[fragment][repetition] = run_team(b, row->threads, take_apart);
	row->holds[fragment] += lock->acquisitions - holds;
	row->contended[fragment] += lock->contended - contended;
	machine_check(&b->machine, row->name);
}

/* The least that any way does: a word of each struct page is read and written, in sequence. */
static void touch(struct bench *b, uint32_t rank)
{
	uint64_t pfn = FIRST_PFN + (uint64_t)ENTRIES * rank / b->job.rank_count;
	uint64_t end = FIRST_PFN + (uint64_t)ENTRIES * (rank + 1) / b->job.rank_count;

	for (; pfn < end; pfn++) {
		volatile uint64_t *word = &b->machine.buddy->base[pfn].memcg_data;

		*word = ~*word;
	}
}

static void run_row(struct bench *b, struct row *row, uint32_t fragment, uint32_t repetition)
{
	if (row->threads > b->machine.cpu_count)
		return;
	if (row->way < FREE_COUNT) {
		free_mapping(b, row, fragment, repetition);
		return;
	}
	describe(b, row);
	run_team(b, b->machine.cpu_count, cool);
	row->ns[fragment][repetition] = run_team(b, row->threads, touch);
	run_team(b, row->threads, touch);
}

static void run_all(struct bench *b)
{
	for (uint32_t r = 0; r < b->repetitions; r++)
		for (uint32_t f = 0; f < FRAGMENTS; f++)
			for (uint32_t i = 0; i < ROWS; i++)
				run_row(b, &rows[(i + r) % ROWS], f, r);
}

/* ---- what comes out ---------------------------------------------------------------------- */

/* How much faster `row` is than `than`, in thousandths. */
static struct summary ratio(const struct bench *b, const struct row *row, const struct row *than,
			    uint32_t fragment)
{
	uint64_t milli[REPETITIONS_MAX];

	for (uint32_t r = 0; r < b->repetitions; r++)
		milli[r] = mul_div_u64(than->ns[fragment][r], 1000, row->ns[fragment][r]);
	return stats_summary(milli, b->repetitions);
}

static struct summary times(const struct bench *b, const struct row *row, uint32_t fragment)
{
	uint64_t ns[REPETITIONS_MAX];

	memcpy(ns, row->ns[fragment], b->repetitions * sizeof(*ns));
	return stats_summary(ns, b->repetitions);
}

static void print_row(const struct bench *b, const struct row *row, uint32_t fragment)
{
	struct summary ns = times(b, row, fragment), faster = ratio(b, row, rows, fragment);
	char cell[6][CELL];

	printf("%8u  %-18s  %7u  %8s  %8s  %8s  %8s  %8s  %9s\n", fragments[fragment], row->name,
	       row->threads, format_ratio(cell[0], ns.min, ENTRIES, 1),
	       format_ratio(cell[1], ns.median, ENTRIES, 1),
	       format_ratio(cell[2], ns.max, ENTRIES, 1),
	       format_ratio(cell[3], faster.median, 1000, 2),
	       format_ratio(cell[4], row->holds[fragment], b->repetitions, 0),
	       format_ratio(cell[5], row->contended[fragment], b->repetitions, 0));
}

static void print_ratio(const struct bench *b, const char *what, const struct row *row,
			const struct row *than, uint32_t fragment)
{
	struct summary one = times(b, than, fragment), two = times(b, row, fragment);
	struct summary faster = ratio(b, row, than, fragment);
	char cell[4][CELL];

	printf("%8u  %-27s  %8s  %8s  %8s  %8s\n", fragments[fragment], what,
	       format_ratio(cell[0], one.min, two.min, 2),
	       format_ratio(cell[1], faster.median, 1000, 2),
	       format_ratio(cell[2], faster.min, 1000, 2),
	       format_ratio(cell[3], faster.max, 1000, 2));
}

static void print_results(const struct bench *b)
{
	char cell[3][CELL];

	printf("\n%8s  %-18s  %7s  %8s  %8s  %8s  %8s  %8s  %9s\n", "fragment", "way", "threads",
	       "fastest", "median", "max", "speed-up", "holds", "contended");
	printf("%8s  %-18s  %7s  %8s  %8s  %8s  %8s\n", "percent", "", "", "ns/page", "ns/page",
	       "ns/page", "median");
	for (uint32_t f = 0; f < FRAGMENTS; f++)
		for (uint32_t i = 0; i < ROWS; i++)
			if (rows[i].threads <= b->machine.cpu_count)
				print_row(b, &rows[i], f);
	printf("\n%8s  %-27s  %8s  %8s  %8s  %8s\n", "fragment", "speed, as a ratio", "fastest",
	       "median", "min", "max");
	for (uint32_t f = 0; f < FRAGMENTS; f++) {
		if (b->machine.cpu_count == CPUS) {
			print_ratio(b, "owned, 2 threads to 1", &rows[OWNED_PAIR], &rows[OWNED], f);
			print_ratio(b, "touch, 2 threads to 1", &rows[TOUCH_PAIR], &rows[TOUCH], f);
		}
		print_ratio(b, "owned to touch, 1 thread", &rows[OWNED], &rows[TOUCH], f);
	}
	printf("\ngoals: owned at most %s ns/page on one thread, at least %s times as fast on two; "
	       "published, 8 workers: %s\n", format_ratio(cell[0], GOAL_TENTHS, 10, 1),
	       format_ratio(cell[1], GOAL_SPEEDUP_TENTHS, 10, 1),
	       format_ratio(cell[2], PUBLISHED_TENTHS, 10, 1));
}

/* ---- memory ------------------------------------------------------------------------------ */

/* As much as any row wants of a mapping of that size. */
static void allocate(struct bench *b)
{
	uint64_t most = 0, bytes;

	b->base = mmap(NULL, (size_t)(FIRST_PFN + PAGES) * PAGE_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (b->base == MAP_FAILED)
		fail("address space for the pages");
	madvise(b->base, (size_t)(FIRST_PFN + PAGES) * PAGE_BYTES, MADV_HUGEPAGE);
	b->space = (struct address_space){ .allocator = &b->machine.allocator,
					   .entries = ENTRIES, .node_count = 1 };
	for (uint32_t i = 0; i < TOUCH; i++) {
		describe(b, &rows[i]);
		bytes = unmap_way(rows[i].way)->bytes(&b->job);
		most = bytes > most ? bytes : most;
	}
	b->cold = malloc(COLD_BYTES);
	if (!b->cold)
		fail("memory to cool the caches with");
	memset(b->cold, 1, COLD_BYTES);
	b->state = aligned_alloc(128, (most + 127) & ~127ull);
	if (!b->state)
		fail("memory for the ways");
}

int main(int argc, char **argv)
{
	static struct bench b;

	b.repetitions = argc > 1 ? number("bench_free", argv[1], REPETITIONS_MAX) : 11;
	machine_open(&b.machine);
	allocate(&b);
	print_cpu();
	printf("mapping: %u MiB in pages of 4 KiB; %u repetitions\n", ENTRIES / 256, b.repetitions);
	run_all(&b);
	print_results(&b);
	return 0;
}
