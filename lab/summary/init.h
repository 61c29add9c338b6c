/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Everything that is said of the experiment `init` besides its samples, computed once. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"
#include "lab/summary/disturbance.h"
#include "lab/summary/init_allocator.h"
#include "lab/summary/init_async.h"
#include "lab/summary/init_times.h"
#include "lab/summary/lazy_first_use.h"
#include "lab/summary/verification.h"

struct init_policy_summary {
	struct init_time time; /* of the slowest node of each run */

	/* outside that clock, of the warm runs */
	uint32_t all_workers;  /* CPUs that took part on all nodes, in the first run */
	uint64_t early_pages;  /* in the same run */
	struct summary wake, early;
	struct summary early_free; /* count 0 also where descriptors are not freed */

	/* inside it, of policies with two passes */
	struct summary first_pass, second_pass;

	bool was_cold;        /* the cold run was of this policy */
	uint64_t cold_cycles;
	bool scatters, vague; /* not to be quoted, see lab/summary/quotable.h */
	struct init_first_use first_use;
	struct init_disturbed disturbed;
	struct init_allocator allocator;
};

struct init_summary {
	uint32_t policy_count, node_count;
	struct init_policy_summary policies[POLICY_COUNT]; /* as results->policies */
	struct init_time *node_times;                      /* see init_node_time */
	struct run_verdict *verdicts;                      /* as results->runs */
	struct init_async async;
	const struct run_sample *cold; /* NULL: there was none, or it timed out */
	uint64_t cold_warm_cycles;     /* the median of its policy's warm runs; 0: none */
	bool anything_deferred;        /* else nothing was timed */
	bool disturbance_known;        /* some CPU counts what disturbs it */
	uint32_t memmaps_good, allocators_good; /* runs */
};

/* Bytes that results->spare must have at least. */
uint64_t init_summary_bytes(const struct init_results *results, const struct topology *topology);

/* Sums up into results->spare, and returns what lies there. */
const struct init_summary *init_summarise(const struct init_results *results,
					  const struct topology *topology);

/* Of the `which`th policy on one node. */
const struct init_time *init_node_time(const struct init_summary *summary, uint32_t which,
				       uint32_t node);

/* The fastest of the comparable policies on `node`, of equals the first; NULL: no run got there. */
const struct init_time *init_best_time(const struct init_summary *summary, uint32_t node);

/* Whether the policy ran. */
bool init_has_policy(const struct init_summary *summary, enum policy policy);
