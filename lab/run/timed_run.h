/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One timed and checked run, as the experiments share it: a plan in, times and findings out. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/run/request.h"
#include "lab/run/sample.h"
#include "lab/run/state.h"

/* Whether the plan's chunks fit into the lab's memory. */
bool lab_plan_fits(struct lab *lab, const struct init_plan *plan, enum policy policy);

/* The run: times and findings into `run`; true: it is good. */
bool lab_run(struct lab *lab, const struct run_request *request, struct run_sample *run);

/* Of the run that was made last: one node's, from the barrier's stamp. */
uint64_t lab_node_cycles(const struct lab *lab, uint32_t node, uint32_t pass);

/* Of the same run, the first pass of each node on which something is deferred; returns how many. */
uint32_t lab_step_samples(const struct lab *lab, uint32_t step, uint32_t repetition,
			  struct step_sample *samples);
