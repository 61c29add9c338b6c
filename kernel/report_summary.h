#pragma once
/* Sums up the samples of the experiment `init` for its tables and records. */
#include "kernel/report.h"
#include "lib/stats.h"

/* One line of a result table: how long one node took, or the slowest node of each run. */
struct init_summary {
	struct summary cycles;
	uint32_t workers;
	uint64_t pages;           /* of the node that was timed */
	uint64_t baseline_cycles; /* the median of the same under POLICY_NODE; 0: unknown */
};

/* Of node `node` under `policy`. count 0: the node had nothing to do, or no run got so far. */
struct init_summary summarise_node(struct report *report, const struct init_results *results,
				   enum policy policy, uint32_t node);

/* Of the slowest node of each run under `policy`. `pages` are those of the slowest node in the run
 * that is nearest to the median; `workers` is the most that any node had. */
struct init_summary summarise_runs(struct report *report, const struct init_results *results,
				   enum policy policy);

/* What is not in the clock, over the runs of `policy`. */
struct summary summarise_wake(struct report *report, const struct init_results *results,
			      enum policy policy);
struct summary summarise_early(struct report *report, const struct init_results *results,
			       enum policy policy);
