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

/* Experiment `bandwidth`: sibling table, node matrix, and what firmware claims beside it. */
void report_bandwidth(struct report *report, const struct bandwidth_results *results,
		      const struct topology *topology);

/* The single-core figures, the curves, and what they cost. */
void report_calibration(struct report *report, const struct calibration *calibration,
			const struct topology *topology);

/* Every number of workers with the time that it gave; the samples as records. */
void report_comparison(struct report *report, const struct compare_results *results,
		       const struct topology *topology);

/* Of the slowest node of each run of one step. Uses report->samples. */
struct summary compared_all(struct report *report, const struct compare_results *results,
			    uint32_t step);

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

/* The rules' numbers; no times yet. */
void worker_verdict_begin(struct worker_verdict *verdict, const struct worker_facts *facts);

/* Their times, and the best. */
void worker_verdict_add(struct worker_verdict *verdict, struct report *report,
			const struct compare_results *results, uint32_t node_count);

/* "How many workers?": what each rule says, what it rests on and what it gave. */
void report_how_many(struct report *report, const struct worker_verdict *verdict,
		     const struct calibration *calibration, const struct topology *topology);

/* What to do: whether siblings help, how many workers to take, and how far to trust that. */
void report_advice(struct report *report, const struct worker_verdict *verdict,
		   const struct topology *topology);
