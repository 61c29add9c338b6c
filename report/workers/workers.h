/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What settles how many workers there should be: bandwidths, calibration, and the rules' numbers
 * with the times that they gave. */
#include "report/report.h"
#include "lab/workers/bandwidth.h"
#include "lab/workers/calibrate.h"
#include "lab/workers/compare.h"
#include "lib/bootstrap.h"
#include "lib/stats.h"
#include "mm/init/worker_rules.h"

/* Of one node under one rule. */
struct worker_time {
	struct worker_count count;
	uint32_t ran;          /* workers that took part */
	struct summary cycles; /* count 0: not measured */
};

/* Time with one worker per core by time with one per CPU, in thousandths. */
struct sibling_ratio {
	struct interval interval;
	uint32_t count; /* runs; 0: not measured */
};

/* Outlives the comparison's samples. Large: its owner is static. */
struct worker_verdict {
	struct worker_time times[NODE_MAX][RULE_COUNT];
	struct worker_point best[NODE_MAX]; /* the fastest of all steps */
	uint32_t steps[RULE_COUNT];         /* of the comparison, where there are times */
	/* Likewise of the slowest node of each run, which is what counts in the end. */
	struct summary all[RULE_COUNT];
	uint64_t all_best_cycles;
	/* Some CPUs serve several nodes: which is done first depends on where they begin. */
	bool nodes_share_cpus;
	struct sibling_ratio ratios[NODE_MAX], all_ratio;
};
