/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the stamps and counters of the workers say after a run. */
#include "lab/run/sample.h"
#include "lab/run/state.h"

/* The times of the slowest node: cycles, first_pass_cycles. */
void lab_add_cycles(const struct lab *lab, struct run_sample *run);

/* What disturbed the workers: smi, aperf, mperf. */
void lab_add_disturbance(const struct lab *lab, struct run_sample *run);

/* Of the run that was made last: one node's, from the barrier's stamp. */
uint64_t lab_node_cycles(const struct lab *lab, uint32_t node, uint32_t pass);

/* Of the same run, the first pass of each node on which something is deferred; returns how many. */
uint32_t lab_step_samples(const struct lab *lab, uint32_t step, uint32_t repetition,
			  struct step_sample *samples);
