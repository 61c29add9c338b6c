/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Runs of steps that are compared with each other, as experiment `sweep` and the comparison of
 * numbers of workers have them. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/input.h"
#include "lab/run/arena.h"
#include "lab/run/request.h"
#include "lab/run/sample.h"
#include "lab/run/state.h"
#include "mm/init/plan.h"

struct step_runs {
	struct lab *lab;              /* NULL: the arena is too small */
	struct init_plan *plan;       /* of the last run */
	struct step_sample *samples;  /* of all runs */
	uint32_t sample_count;
	uint32_t index;               /* runs begun */
	uint32_t count;               /* runs in all, as far as known */
};

/* Memory for up to `steps` steps, each run options->repeat times; the smallest exact size of a
 * chunk is `chunk_pages`, 0: all by the rules. */
void step_runs_take(struct step_runs *runs, struct arena *arena, const struct lab_input *input,
		    uint32_t extra_reserved, uint32_t steps, uint64_t chunk_pages);

/* Whether a plan by these rules can be made and fits, under `policy`. */
bool step_runs_plan(struct step_runs *runs, const struct init_rules *rules, enum policy policy);

struct step_run {
	uint32_t step;
	struct init_rules rules;
	struct run_request request; /* complete but for the plan, which is by the rules */
	uint32_t workers;           /* what the progress says, and of chunk_pages */
	uint64_t chunk_pages;
};

/* Makes the run and keeps its samples, unless it timed out. False: the run, in `last`, is not
 * good. */
bool step_runs_add(struct step_runs *runs, const struct step_run *run, struct run_sample *last);
