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
