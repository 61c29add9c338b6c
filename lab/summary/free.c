/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/free.h"

enum { MILLI = 1000 };

static bool same_mapping(const struct free_row *a, const struct free_row *b)
{
	return a->mapping == b->mapping && a->fragment == b->fragment;
}

/* Every mapping has one. */
static const struct free_row *find_vanilla(const struct free_results *results,
					   const struct free_row *row)
{
	const struct free_row *vanilla = results->rows;

	while (vanilla->way != FREE_VANILLA || !same_mapping(vanilla, row))
		vanilla++;
	return vanilla;
}

static struct summary sum_up(const struct free_row *row)
{
	uint64_t cycles[REPEAT_MAX];
	uint32_t count = 0;

	for (; count < row->count && count < REPEAT_MAX; count++)
		cycles[count] = row->cycles[count];
	return stats_summary(cycles, count);
}

struct free_case free_case(const struct free_results *results, const struct free_row *row)
{
	const struct free_setting *setting = &results->settings[row->setting];
	bool batch = row->way == FREE_BATCH;

	return (struct free_case){
		.mapping = row->mapping,
		.fragment = row->fragment,
		.way = row->way,
		.gather = batch ? setting->gather : 0,
		.max_active = batch ? setting->max_active : 0,
		.pieces = row->way == FREE_PIECES,
		.whole = row->whole,
		.workers = row->workers,
		.cpus = row->cpus,
		.pages = results->mappings[row->mapping].pages,
	};
}

struct free_summary free_summarise(const struct free_results *results, const struct free_row *row)
{
	struct free_summary summary = {
		.what = free_case(results, row),
		.cycles = sum_up(row),
		.vanilla = sum_up(find_vanilla(results, row)),
		.locks = row->locks,
		.flushes = row->flushes,
		.failures = row->failures,
		.queued = row->queued,
	};

	for (uint32_t i = 0; i < row->count; i++)
		summary.cpu_cycles += row->cycles[i] * row->cpus;
	summary.freed_pages = summary.what.pages * row->count;
	if (summary.cycles.median)
		summary.speedup_milli =
			mul_div_u64(summary.vanilla.median, MILLI, summary.cycles.median);
	return summary;
}

uint32_t free_mapping_end(const struct free_results *results, uint32_t first)
{
	uint32_t end = first;

	while (end < results->row_count &&
	       same_mapping(&results->rows[first], &results->rows[end]))
		end++;
	return end;
}

uint32_t free_most_runs(const struct free_results *results, uint32_t first, uint32_t end)
{
	uint32_t most = 0;

	for (uint32_t i = first; i < end; i++)
		if (results->rows[i].count > most)
			most = results->rows[i].count;
	return most;
}
