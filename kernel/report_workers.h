#pragma once
/* What settles how many workers there should be: bandwidths, calibration, and the rules' numbers
 * with the times that they gave. */
#include "kernel/report.h"
#include "lab/bandwidth.h"
#include "lab/calibrate.h"
#include "lab/compare.h"
#include "mm/worker_rules.h"

/* Experiment `bandwidth`: sibling table, node matrix, and what firmware claims beside it. */
void report_bandwidth(struct report *report, const struct bandwidth_results *results,
		      const struct topology *topology);

/* The single-core figures, the curves, and what they cost. */
void report_calibration(struct report *report, const struct calibration *calibration,
			const struct topology *topology);

/* Every number of workers with the time that it gave; the samples as records. */
void report_comparison(struct report *report, const struct compare_results *results,
		       const struct topology *topology);

/* Of one node in one step. */
struct compared {
	uint32_t workers; /* that took part: a small node has no use for more; 0: not measured */
	uint64_t pages;
	uint64_t cycles;  /* the median */
};

struct compared compared_node(struct report *report, const struct compare_results *results,
			      uint32_t step, uint32_t node);

/* Of the slowest node of each run: `workers` and `pages` are 0. */
struct compared compared_all(struct report *report, const struct compare_results *results,
			     uint32_t step);

/* Of one node under one rule. */
struct worker_time {
	struct worker_count count;
	uint32_t step;   /* of the comparison */
	uint32_t ran;    /* workers that took part */
	uint64_t cycles; /* the median; 0: not measured */
};

/* Outlives the comparison's samples. Large: its owner is static. */
struct worker_verdict {
	struct worker_time times[NODE_MAX][RULE_COUNT];
	struct worker_point best[NODE_MAX]; /* the fastest of all steps */
	/* Likewise of the slowest node of each run, which is what counts in the end. */
	uint64_t all_cycles[RULE_COUNT], all_best_cycles;
	/* Time with one worker per core by time with one per CPU, in thousandths, per run. */
	uint64_t ratios[NODE_MAX][REPEAT_MAX];
	uint32_t ratio_count[NODE_MAX];
};

/* The rules' numbers; no times yet. */
void worker_verdict_begin(struct worker_verdict *verdict, const struct worker_facts *facts);

/* Their times, and the best. */
void worker_verdict_add(struct worker_verdict *verdict, struct report *report,
			const struct compare_results *results, uint32_t node_count);

/* "How many workers?", the siblings' share, what the search cost, and the stores that all this
 * was measured with: the tables to act on. */
void report_how_many(struct report *report, const struct worker_verdict *verdict,
		     const struct calibration *calibration, const struct store_choice *stores,
		     const struct topology *topology);
