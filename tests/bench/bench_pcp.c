/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Native benchmark of the page allocator, each way of keeping pages per CPU.
 *
 *   bench_pcp [REPETITIONS]
 *
 * Cycles are those of the time stamp counter. A sample is the median of many short slices (see
 * pcp_work.h), so that whoever else runs on the machine disturbs few of them. In a repetition every
 * way is measured once for each row, one behind the other, beginning with another way each time.
 * Ratios are formed within a repetition. What is printed is the median over the repetitions, with
 * the smallest and the largest.
 *
 * After page_bench01 to 05 of prototype-kernel: single allocations and frees, outstanding pages,
 * several CPUs, bulk, and allocating on one CPU what another frees.
 */
#define _GNU_SOURCE
#include "lab/alloc/pcp_work.h"
#include "tests/bench/pcp_work.h"

enum {
	REPETITIONS_MAX = 100,
	BULK = 64,
	HELD = 64, /* by each of two CPUs, as page_bench02 */
	ROWS = 32,
	PUBLISHED = 231, /* order 0 with the optimisations of 2016 [Brouer]; 4.6-rc1: 272 */
	GOAL = 100,
};

struct row {
	const char *what;
	measure_function *measure;
	uint32_t parameter;
	uint32_t pages; /* per operation */
	uint64_t samples[PCP_COUNT][REPETITIONS_MAX]; /* 0: nothing measured */
	uint64_t holds[PCP_COUNT], frees[PCP_COUNT]; /* of the zone's lock; of pages */
};

struct bench {
	struct page_machine machine;
	struct work work;
	uint32_t repetitions;
	struct row rows[ROWS];
	uint32_t row_count;
	struct row *single, *held, *single2, *held2, *cross; /* of these; NULL: one CPU */
};

static struct row *add_row(struct bench *b, const char *what, measure_function *measure,
			   uint32_t parameter, uint32_t pages)
{
	struct row *row = &b->rows[b->row_count++];

	row->what = what;
	row->measure = measure;
	row->parameter = parameter;
	row->pages = pages;
	return row;
}

static void prepare(struct bench *b)
{
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		struct hand *hand = &b->work.hands[cpu];

		hand->work = &b->work;
		hand->cpu = cpu;
		hand->counted = 0;
		atomic_store(&hand->finished, 0);
	}
	b->work.machine = &b->machine;
}

static void run_row(struct bench *b, struct row *row, enum pcp pcp, uint32_t repetition)
{
	struct page_allocator *a = &b->machine.allocator;
	const struct zone_lock *lock = &b->machine.buddy->zones[0][ZONE_NORMAL].lock;
	uint64_t holds = lock->acquisitions;

	page_allocator_init(a, pcp, b->machine.state);
	prepare(b);
	row->samples[pcp][repetition] = row->measure(&b->work, row->parameter);
	row->holds[pcp] += lock->acquisitions - holds;
	row->frees[pcp] += page_allocator_stats(a).frees;
	machine_check(&b->machine, row->what);
}

static void run(struct bench *b)
{
	machine_pin(&b->machine, 0);
	for (uint32_t r = 0; r < b->repetitions; r++)
		for (uint32_t i = 0; i < b->row_count; i++)
			for (uint32_t way = 0; way < PCP_COUNT; way++)
				run_row(b, &b->rows[i], (enum pcp)((way + r) % PCP_COUNT), r);
}

/* ---- what comes out -------------------------------------------------------------------------- */

/* Of those repetitions in which there was something to measure. */
static struct summary summary_of(const struct bench *b, const struct row *row, enum pcp pcp)
{
	uint64_t samples[REPETITIONS_MAX];
	uint32_t count = 0;

	for (uint32_t r = 0; r < b->repetitions; r++)
		if (row->samples[pcp][r])
			samples[count++] = row->samples[pcp][r];
	return stats_summary(samples, count);
}

static void print_tenths(uint64_t value)
{
	printf("%7llu.%llu", (unsigned long long)value / TENTHS,
	       (unsigned long long)value % TENTHS);
}

static void print_heading(const char *what)
{
	printf("\n%-28s", what);
	for (uint32_t pcp = 0; pcp < PCP_COUNT; pcp++)
		printf("  %7s", pcp_name((enum pcp)pcp));
	printf("\n");
}

static void print_holds(const struct row *row)
{
	printf("%-28s", "    lock holds per 1000");
	for (uint32_t pcp = 0; pcp < PCP_COUNT; pcp++)
		print_tenths(tenths(row->holds[pcp] * 1000, row->frees[pcp]));
	printf("\n");
}

/* Medians; then, where an operation is more than one page, the same for each of them, else how
 * often the zone's lock was taken. */
static void print_row(const struct bench *b, const struct row *row)
{
	printf("%-20s %7u", row->what, row->parameter);
	for (uint32_t pcp = 0; pcp < PCP_COUNT; pcp++)
		print_tenths(summary_of(b, row, (enum pcp)pcp).median);
	printf("\n");
	if (row->pages == 1) {
		print_holds(row);
		return;
	}
	printf("%-28s", "    per 4 KiB");
	for (uint32_t pcp = 0; pcp < PCP_COUNT; pcp++)
		print_tenths(tenths(summary_of(b, row, (enum pcp)pcp).median,
				    (uint64_t)row->pages * TENTHS));
	printf("\n");
}

static void print_spread(const struct bench *b, const char *what, const struct row *row)
{
	printf("\n%-12s  %9s%9s%9s  measured\n", what, "median", "min", "max");
	for (uint32_t pcp = 0; pcp < PCP_COUNT; pcp++) {
		struct summary s = summary_of(b, row, (enum pcp)pcp);

		printf("%-12s  ", pcp_name((enum pcp)pcp));
		print_tenths(s.median);
		print_tenths(s.min);
		print_tenths(s.max);
		printf("%10u\n", s.count);
	}
}

/* In hundredths, within each repetition. */
static struct summary ratio_of(const struct bench *b, const struct row *row,
			       const struct row *to, enum pcp pcp)
{
	uint64_t ratios[REPETITIONS_MAX];
	uint32_t count = 0;

	for (uint32_t r = 0; r < b->repetitions; r++)
		if (row->samples[pcp][r] && to->samples[pcp][r])
			ratios[count++] = row->samples[pcp][r] * 100 / to->samples[pcp][r];
	return stats_summary(ratios, count);
}

static void print_ratio(uint64_t hundredths)
{
	printf("%6llu.%02llu", (unsigned long long)hundredths / 100,
	       (unsigned long long)hundredths % 100);
}

static void print_ratios(const struct bench *b, const char *what, const struct row *row,
			 const struct row *to)
{
	printf("\n%s\n%-12s  %9s%9s%9s  measured\n", what, "", "median", "min", "max");
	for (uint32_t pcp = 0; pcp < PCP_COUNT; pcp++) {
		struct summary s = ratio_of(b, row, to, (enum pcp)pcp);

		printf("%-12s  ", pcp_name((enum pcp)pcp));
		print_ratio(s.median);
		print_ratio(s.min);
		print_ratio(s.max);
		printf("%10u\n", s.count);
	}
}

static void print_goal(const struct bench *b, const struct row *row, enum pcp pcp)
{
	struct summary s = summary_of(b, row, pcp);

	printf("%s: ", pcp_name(pcp));
	print_tenths(s.median);
	printf(" cycles, published %u, goal %u: %s\n", PUBLISHED, GOAL,
	       s.median <= GOAL * TENTHS ? "reached" : "missed");
}

static void add_rows(struct bench *b)
{
	static const uint32_t counts[] = { 1, 4, 16, 64, 256, 1024, 4096, OUTSTANDING_MAX };

	for (uint32_t order = 0; order < ORDER_COUNT; order++)
		add_row(b, "order", pairs, order, 1u << order);
	b->single = &b->rows[0];
	for (uint32_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct row *row = add_row(b, "outstanding", outstanding, counts[i], 1);

		if (counts[i] == HELD)
			b->held = row;
	}
	add_row(b, "at once", bulk, BULK, 1);
	if (b->machine.cpu_count < CPUS)
		return;
	b->single2 = add_row(b, "two CPUs", both, 1, 1);
	b->held2 = add_row(b, "two CPUs, outstanding", both, HELD, 1);
	b->cross = add_row(b, "across, ring of", across, RING, 1);
}

static void print_results(const struct bench *b)
{
	print_heading("cycles, alloc and free");
	for (uint32_t i = 0; i < b->row_count; i++)
		print_row(b, &b->rows[i]);
	print_spread(b, "order 0", b->single);
	if (b->cross) {
		print_ratios(b, "order 0, per CPU: two CPUs against one", b->single2, b->single);
		print_ratios(b, "64 outstanding, per CPU: two CPUs against one", b->held2,
			     b->held);
		print_spread(b, "across", b->cross);
	} else {
		printf("\none CPU: nothing of two\n");
	}
	printf("\n");
	print_goal(b, b->single, PCP_MERGED);
	print_goal(b, b->single, PCP_OWNED);
}

int main(int argc, char **argv)
{
	static struct bench b;

	b.repetitions = argc > 1 ? number("bench_pcp", argv[1], REPETITIONS_MAX) : 5;
	machine_open(&b.machine);
	add_rows(&b);
	print_cpu();
	printf("%u MiB of pages in one zone, %u repetitions; no interrupts to turn off here: that "
	       "costs nothing\n",
	       PAGES >> 8, b.repetitions);
	run(&b);
	print_results(&b);
	return 0;
}
