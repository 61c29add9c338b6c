#pragma once
/*
 * Which store kernel the memmap is initialised with: the one asked for, or, with store=auto and
 * where a CPU lacks that one, the fastest of those permitted. Each is timed in whole runs on all
 * nodes and checked like any run: in the first pass of policy ktask, which only initialises, and
 * under policy zone, which frees each block right after. The faster of two runs counts.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init_run.h"

enum { STORE_TRIAL_RUNS = 2 };

struct store_trial {
	uint64_t alone_cycles, with_free_cycles; /* of the slowest node; 0: not tried */
};

struct store_trials {
	enum store wish;
	bool refused;                  /* some CPU lacks it */
	struct store_features has;     /* all CPUs */
	bool tried;                    /* by runs; the memmap is then no longer as at boot */
	struct store_trial trials[STORE_COUNT];
	struct store_choice choice;
	struct init_run_sample last;   /* where not `verified`, the run that failed */
	bool verified;                 /* every run was good */
};

/* As init_run_bytes; 0 when nothing has to be tried. */
uint64_t store_trial_bytes(const struct init_input *input, const struct store_features *has,
			   uint32_t extra_reserved);

/* As init_run; input->stores is not read. With nothing to try, `memory` is not touched. */
bool store_trial_run(const struct init_input *input, const struct store_features *has,
		     void *memory, uint64_t bytes, struct store_trials *trials);
