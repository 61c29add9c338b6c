/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Which store kernel the memmap is initialised with: the one asked for, or, with store=auto and
 * where a CPU lacks that one, the fastest of those permitted. Policies that want the best get it
 * without being asked, unless the user named one.
 *
 * Each is timed in whole runs on all nodes and checked like any run: in the first pass of policy
 * ktask, which only initialises, and under policy zone, which frees each block right after. The
 * faster of two runs counts. Where cores are of several kinds the runs of each kind are made by its
 * CPUs alone, and each kind has winners of its own.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"

enum { STORE_TRIAL_RUNS = 2 };

struct store_trial {
	uint64_t alone_cycles, with_free_cycles; /* of the slowest node; 0: not tried */
};

struct store_trials {
	enum store wish;
	bool given;                    /* by the user: then all policies go by it */
	bool refused;                  /* some CPU lacks it */
	struct store_features has;     /* all CPUs */
	bool tried;                    /* by runs; the memmap is then no longer as at boot */
	bool best_wanted;              /* some policy that runs wants the best (policy_rule) */
	bool for_best;                 /* tried for those alone */
	uint32_t kind_count;           /* of core, at least 1 */
	struct store_trial trials[CORE_KINDS_MAX][STORE_COUNT];
	/* By kind of core: what store= comes to, and what policies use that want the best */
	struct store_choice choice[CORE_KINDS_MAX], best[CORE_KINDS_MAX];
	struct run_sample last;   /* where not `verified`, the run that failed */
	bool verified;                 /* every run was good */
};

/* See lab/input.h. 0 when nothing has to be tried; then `memory` is not touched. Of `input` the
 * stores are not read. */
uint64_t store_trial_bytes(const struct lab_input *input, const struct store_features *has,
			   uint32_t extra_reserved);
bool store_trial_run(const struct lab_input *input, const struct store_features *has,
		     void *memory, uint64_t bytes, struct store_trials *trials);
