/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/free_verdict.h"

#include <stddef.h>

#include "lab/summary/free.h"
#include "lab/summary/thresholds.h"

/* The row of this way from `first` to before `end` with the least median; NULL: none has run. */
static const struct free_row *fastest(const struct free_results *results, uint32_t first,
				      uint32_t end, enum free_way way, bool whole)
{
	const struct free_row *best = NULL;
	uint64_t least = UINT64_MAX;

	for (uint32_t i = first; i < end; i++) {
		const struct free_row *row = &results->rows[i];
		uint64_t median;

		if (row->way != way || row->whole != whole || !row->count)
			continue;
		median = free_summarise(results, row).cycles.median;
		if (median < least) {
			least = median;
			best = row;
		}
	}
	return best;
}

static void judge_mapping(const struct free_results *results, uint32_t first, uint32_t end,
			  struct free_verdict *verdict)
{
	for (int way = 0; way < FREE_COUNT; way++)
		for (int whole = 1; whole >= 0; whole--) {
			const struct free_row *row =
				fastest(results, first, end, (enum free_way)way, whole);

			if (row && verdict->best_count < FREE_BEST_MAX)
				verdict->best[verdict->best_count++] = row;
		}
}

static void judge_scatter(const struct free_results *results, struct free_verdict *verdict)
{
	for (uint32_t i = 0; i < results->row_count; i++) {
		struct summary s = free_summarise(results, &results->rows[i]).cycles;

		verdict->left_out += !s.count;
		verdict->repeated += s.count > 1;
		verdict->scattered +=
			s.count > 1 &&
			s.max - s.min > mul_div_u64(s.median, THRESHOLD_SCATTER_PERCENT, 100);
	}
	verdict->unsteady = verdict->scattered > verdict->repeated / THRESHOLD_UNSTEADY_SHARE;
}

void free_judge(const struct free_results *results, struct free_verdict *verdict)
{
	*verdict = (struct free_verdict){ 0 };
	for (uint32_t first = 0, end; first < results->row_count; first = end) {
		end = free_mapping_end(results, first);
		judge_mapping(results, first, end, verdict);
	}
	judge_scatter(results, verdict);
}
