/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Experiment `free`: how long it takes to unmap and free a huge mapping, in the ways of unmap.h.
 *
 * One run: all CPUs build the mapping (page tables, pages of all nodes in proportion to what is
 * free there, and fragmentation); the CPUs of the way meet at a barrier; the clock runs until the
 * last of them is done; what is kept per CPU goes back, and the free pages must be those of before.
 * Rows are interleaved over the repetitions, each of which begins with another row.
 *
 * The rows asked for are one group. Unless `fragment=` was given, a second one follows, for
 * contiguous memory flatters: every way with the most workers, of pages that are all out of
 * sequence. Each group has as many repetitions as asked for or as fit into its time; the first
 * one at least.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/alloc/input.h"
#include "mm/unmap/unmap.h"

enum { FREE_ROWS_MAX = 192, FREE_SETTINGS_MAX = 2, FREE_FRAGMENTED = 100 };
enum free_group { FREE_ASKED_FOR, FREE_COMPARISON, FREE_GROUPS };

/* Of the series of 2017. */
struct free_setting {
	uint32_t gather, max_active;
	uint64_t chains[MAPPING_COUNT]; /* that a mapping gives to workers; 0: it never has as many
					 * pages that it would, and there is no such row */
};

/* What the locks of all zones counted during a run, or several. */
struct free_locks {
	uint64_t acquisitions, contended, wait_cycles;
	uint64_t longest_hold_cycles;
};

/* One way with one number of workers. The sums are over `count` repetitions. */
struct free_row {
	enum mapping mapping;
	uint32_t fragment;     /* percent */
	enum free_way way;
	uint32_t setting;      /* batch: in results->settings */
	bool whole;            /* pieces: the drains are not broken up, to compare with */
	uint32_t workers;      /* CPUs that free; with batch others than the one that walks */
	uint32_t cpus;         /* CPUs that take part */
	uint64_t *cycles;      /* one per repetition */
	uint32_t count;
	struct free_locks locks;
	uint64_t flushes, failures, queued;
};

struct free_mapping {
	uint64_t entries, pages; /* pages of 4 KiB */
	uint64_t build_cycles;   /* of the last one built */
	bool asked;              /* entries 0: there are no pages for it, or size= is too small */
};

struct free_results {
	struct free_row rows[FREE_ROWS_MAX]; /* by mapping, fragmentation, way, setting, workers */
	uint32_t row_count;
	uint32_t group_end[FREE_GROUPS];   /* the row after the last of each group */
	bool time_over[FREE_GROUPS];       /* fewer repetitions than asked for */
	struct free_setting settings[FREE_SETTINGS_MAX];
	uint32_t setting_count;
	bool batch;            /* was asked for: the settings matter */
	struct free_mapping mappings[MAPPING_COUNT];
	uint64_t free_pages;   /* before */
	bool size_cut;         /* asked for more than there is */
	uint64_t cycles;       /* of the whole experiment */
	const char *fault;     /* in one clause; NULL: all runs were as they must be */
	uint32_t fault_row;    /* the run it was found after; row_count: in the end */
	struct free_fault free_fault; /* kind NONE: no free was refused */
};

/* See lab/input.h. free_bytes looks at buddy zones and topology only. */
uint64_t free_bytes(const struct alloc_input *input);
bool free_run(const struct alloc_input *input, void *memory, uint64_t bytes,
	      struct free_results *results);
