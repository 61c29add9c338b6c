/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Made-up results of the experiment `free`: 1 GiB of small pages, contiguous and fragmented. */
#include <string.h>

#include "lab/alloc/free.h"

enum { HZ = 2000000000, MS = HZ / 1000, REPEAT = 3, ROW_PAGES = 262144 };

static struct free_results results;
static uint64_t cycles[FREE_ROWS_MAX][REPEAT];

/* 1 GiB mapped; so many milliseconds, the last run 2 ms longer and the second 1 ms shorter. */
static inline struct free_row *add_row(enum free_way way, uint32_t setting, bool whole,
				       uint32_t workers, uint64_t ms)
{
	struct free_row *row = &results.rows[results.row_count];
	uint64_t *to = cycles[results.row_count++];

	to[0] = ms * MS;
	to[1] = (ms - 1) * MS;
	to[2] = (ms + 2) * MS;
	*row = (struct free_row){
		.way = way,
		.setting = setting,
		.whole = whole,
		.workers = workers,
		.cpus = workers + (way == FREE_BATCH),
		.cycles = to,
		.count = REPEAT,
		.locks = { 3 * 1000, 30, 3 * MS, 5 * MS / 100 },
		.flushes = 81,
		.queued = 3,
	};
	return row;
}

static inline void make_up(void)
{
	memset(&results, 0, sizeof(results));
	results.mappings[MAPPING_4K] = (struct free_mapping){ ROW_PAGES, ROW_PAGES, 1, true };
	results.mappings[MAPPING_2M] = (struct free_mapping){ 512, ROW_PAGES, 1, true };
	results.setting_count = 2;
	results.batch = true;
	results.settings[0] = (struct free_setting){ 515, 256, { 8, 0 } };
	results.settings[1] = (struct free_setting){ 1030, 64, { 0, 0 } };
	results.cycles = 12345 * (uint64_t)MS;
	add_row(FREE_VANILLA, 0, false, 1, 100);
	add_row(FREE_BATCH, 0, false, 1, 80);
	add_row(FREE_BATCH, 0, false, 2, 60);
	add_row(FREE_PIECES, 0, true, 1, 90);
	add_row(FREE_PIECES, 0, false, 4, 40);
	add_row(FREE_OWNED, 0, false, 4, 10);
	results.group_end[FREE_ASKED_FOR] = results.row_count;
	add_row(FREE_VANILLA, 0, false, 1, 200)->fragment = 100;
	add_row(FREE_OWNED, 0, false, 4, 50)->fragment = 100;
	results.group_end[FREE_COMPARISON] = results.row_count;
}
