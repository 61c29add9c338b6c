/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Experiment `free`: the runs of a row summed up, beside those of vanilla. */
#include "lab/alloc/free_run.h"
#include "lib/stats.h"

struct free_summary {
	uint64_t pages;          /* of 4 KiB, that each run freed */
	struct summary cycles;
	uint64_t total_cycles;   /* of all runs */
	struct summary vanilla;  /* cycles of the vanilla row of the same mapping */
	uint64_t speedup_milli;  /* of the medians, against vanilla; 0: the row has no run */
};

struct free_summary free_summarise(const struct free_results *results, const struct free_row *row);

/* The row after the last one that is of the same mapping as row `first`, as contiguous. */
uint32_t free_mapping_end(const struct free_results *results, uint32_t first);

/* The most runs that any row from `first` to before `end` had: the last round may have ended in the
 * middle. */
uint32_t free_most_runs(const struct free_results *results, uint32_t first, uint32_t end);
