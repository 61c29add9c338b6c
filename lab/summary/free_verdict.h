/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Experiment `free`: each way's best number of workers for each mapping, and how sure that is. */
#include "lab/alloc/free.h"

/* Per mapping, and once more fragmented; pieces that are whole are a way of their own. */
enum { FREE_BEST_MAX = (MAPPING_COUNT + 1) * (FREE_COUNT + 1) };

struct free_verdict {
	const struct free_row *best[FREE_BEST_MAX]; /* least median, by mapping, then way */
	uint32_t best_count;
	uint32_t left_out;  /* rows without a run: there was no time */
	uint32_t repeated;  /* rows with several runs */
	uint32_t scattered; /* of them, whose most and least are further apart than
			     * THRESHOLD_SCATTER_PERCENT of their median */
	bool unsteady;      /* too many are: only what least and most agree on is to be passed on */
};

void free_judge(const struct free_results *results, struct free_verdict *verdict);
