/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Experiment `free`: the runs of a row summed up, beside those of vanilla. */
#include "lab/alloc/free.h"
#include "lib/stats.h"

/* What a row is. */
struct free_case {
	enum mapping mapping;
	uint32_t fragment;           /* percent */
	enum free_way way;
	uint32_t gather, max_active; /* of way batch, else 0 */
	bool pieces, whole;          /* way pieces; and its drains are not broken up */
	uint32_t workers, cpus;
	uint64_t pages;              /* of 4 KiB, that each run frees */
};

/* Of all runs. */
struct free_summary {
	struct free_case what;
	struct summary cycles;
	struct summary vanilla;  /* cycles of the vanilla row of the same mapping */
	uint64_t speedup_milli;  /* of the medians, against vanilla; 0: the row has no run */
	uint64_t freed_pages;
	uint64_t cpu_cycles;     /* of all CPUs that took part */
	struct free_locks locks;
	uint64_t flushes, failures, queued;
};

struct free_case free_case(const struct free_results *results, const struct free_row *row);

struct free_summary free_summarise(const struct free_results *results, const struct free_row *row);

/* The row after the last one that is of the same mapping as row `first`, as contiguous. */
uint32_t free_mapping_end(const struct free_results *results, uint32_t first);

/* The most runs that any row from `first` to before `end` had: the last round may have ended in the
 * middle. */
uint32_t free_most_runs(const struct free_results *results, uint32_t first, uint32_t end);
