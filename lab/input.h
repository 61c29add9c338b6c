/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * What an experiment is told. Each, and each step that others need, has two functions:
 *
 * NAME_bytes(input, extra_reserved): bytes of memory that it needs, at most. Asked before
 *	`reserved` is final; so many more ranges are allowed for. The experiments on the page
 *	allocator need not know of any.
 * NAME_run(input, memory, bytes, results): runs it on the boot CPU in `memory`, which is 64-byte
 *	aligned; results point into it. False: it is too small, or no CPU could work. The first run
 *	that is not good ends it.
 *
 * Their headers tell what else there is to say. experiments/experiment.h makes one type of them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/options.h"
#include "lab/machine.h"
#include "lib/range.h"
#include "mm/buddy/buddy.h"
#include "mm/init/store.h"
#include "mm/machine/memmap.h"
#include "mm/machine/topology.h"

/* A run that is about to begin: a trial, or one that has a result, hence not that with growth. */
struct lab_progress {
	enum experiment_id experiment;
	enum policy policy;
	uint32_t repetition;
	uint32_t workers;        /* of a sweep's step, per node; else 0 */
	uint64_t chunk_pages;    /* of a sweep's step; 0: by the rules */
	uint32_t index, count;   /* this run, counted from 0, of so many */
	uint64_t elapsed_cycles; /* since the experiment began */
	bool cold;               /* the first run */
	const char *way;         /* of the page allocator, that is measured; or NULL */
	const char *trial;       /* of this store kernel, before the experiment; or NULL */
};

struct lab_input {
	const struct lab_machine *machine;
	const struct topology *topology;
	const struct memmap *memmap;
	const struct range_list *reserved; /* frames; final: nothing is allocated any more */
	const struct options *options;
	struct buddy *buddy; /* base, pageblocks and zone spans set */
	void (*progress)(void *context, const struct lab_progress *progress); /* NULL: none */
	void *progress_context;
	struct store_choice stores; /* as all CPUs permit; on the boot CPU's kind of core */
	bool memmap_written;        /* since boot, by others: there is no cold run */
	/* Workers per node under policies that are told (WORKERS_GIVEN); NULL: see init_rules */
	const uint32_t *worker_counts[POLICY_COUNT];
	const struct store_choice *kind_stores; /* by kind of core; NULL: all as `stores` */
	/* Likewise under policies that want the best (policy_rule); NULL: as under the others */
	const struct store_choice *best_stores;
};
