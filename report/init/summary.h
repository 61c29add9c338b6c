/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Sums up the samples of the experiment `init` for its tables and records: of the warm runs,
 * without the cold one, repetition 0. */
#include "report/report.h"
#include "lib/stats.h"

/* One line of a result table: how long one node took, or the slowest node of each run. */
struct init_summary {
	struct summary cycles;
	uint32_t workers;
	uint64_t pages;           /* of what was timed: a node, or under policy serial all nodes */
	uint64_t baseline_cycles; /* the median of the same under POLICY_NODE; 0: unknown */
};

/* Of node `node` under `policy`. count 0: the node had nothing to do, or no run got so far. */
struct init_summary summarise_node(struct report *report, const struct init_results *results,
				   enum policy policy, uint32_t node);

/* Of the slowest node of each run under `policy`. `pages` are those of the slowest node in the run
 * that is nearest to the median; `workers` is the most that any node had. */
struct init_summary summarise_runs(struct report *report, const struct init_results *results,
				   enum policy policy);

/* Of any other number of the same runs. */
struct summary summarise_field(struct report *report, const struct init_results *results,
			       enum policy policy,
			       uint64_t (*field)(const struct run_sample *run));

/* The policy's first run that did not time out; NULL: none. */
const struct run_sample *summary_first_run(const struct init_results *results,
						enum policy policy);

/* The cold run, the first to touch the memmap since boot; NULL when it timed out. */
const struct run_sample *summary_cold_run(const struct init_results *results);

bool summary_has_policy(const struct init_results *results, enum policy policy);

/* In thousandths; 0: unknown. */
uint64_t summary_speedup_milli(const struct init_summary *summary);
