/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What settles how many workers there should be: the rules' numbers, the times that they gave, and
 * what is to be made of those. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/summary/siblings.h"
#include "lab/workers/compare_rules.h"
#include "lab/workers/policy_workers.h"
#include "lib/stats.h"
#include "mm/init/worker_rules.h"
#include "mm/machine/topology.h"

/* Of one node under one rule. */
struct worker_time {
	uint32_t ran;             /* workers that took part */
	struct summary cycles;    /* count 0: not measured */
	enum worker_rule same_as; /* the first rule with this number, in the same runs */
	bool own;                 /* the number is the rule's own: it did not fall back */
};

/* Why not to rely on a median. */
enum doubt { DOUBT_NONE, DOUBT_FEW_RUNS, DOUBT_SCATTER };

/* The rule with the fewest workers of those near to the best time. */
struct worker_advice {
	enum worker_rule rule; /* RULE_COUNT: none is near to it */
	uint32_t workers;      /* that took part, on all nodes in question */
	enum doubt doubt;
};

/* Outlives the comparison's samples. Large: its owner is static. */
struct worker_verdict {
	const struct rule_numbers *numbers;
	uint32_t node_count;
	struct worker_time times[NODE_MAX][RULE_COUNT];
	struct worker_point best[NODE_MAX]; /* the fastest of all steps; cycles 0: none */
	struct worker_advice advice[NODE_MAX]; /* where there is a best */
	uint32_t steps[RULE_COUNT];         /* of the comparison, where there are times */
	enum worker_rule step_same_as[RULE_COUNT]; /* the first rule with the same step */
	/* The same of the slowest node of each run, which is what counts in the end. */
	struct summary all[RULE_COUNT];
	uint64_t all_best_cycles; /* 0: nothing was timed */
	struct worker_advice all_advice;
	/* Some CPUs serve several nodes: which is done first depends on where they begin. */
	bool nodes_share_cpus;
	bool has_siblings[NODE_MAX]; /* a rule tells cores from CPUs */
	bool any_siblings;
	struct sibling_ratio ratios[NODE_MAX], all_ratio;
};

/* The rules' numbers, which have to stay; no times yet. */
void worker_verdict_begin(struct worker_verdict *verdict, const struct topology *topology,
			  const struct rule_numbers *numbers);

/* Their times, the best, and what follows. */
void worker_verdict_add(struct worker_verdict *verdict, const struct compare_results *results);
