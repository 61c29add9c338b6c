#pragma once
/* What settles how many workers there should be: bandwidths, calibration, and the rules' numbers
 * with the times that they gave. */
#include "kernel/report.h"
#include "lab/bandwidth.h"
#include "lab/calibrate.h"
#include "mm/worker_rules.h"

/* Experiment `bandwidth`: sibling table, node matrix, and what firmware claims beside it. */
void report_bandwidth(struct report *report, const struct bandwidth_results *results,
		      const struct topology *topology);

/* The single-core figures, the curves, and what they cost. */
void report_calibration(struct report *report, const struct calibration *calibration,
			const struct topology *topology);

/* Of one node under one rule. */
struct worker_time {
	struct worker_count count;
	uint32_t ran;    /* workers that took part: a small node has no use for more */
	uint64_t cycles; /* the median then; 0: not measured */
};

/* Gathered from experiment to experiment, which share their memory. Large: its owner is static. */
struct worker_verdict {
	struct worker_time times[NODE_MAX][RULE_COUNT];
	struct worker_point best[NODE_MAX]; /* the fastest of the sweep, else of the rules */
	bool from_sweep;
	/* Time with one worker per core by time with one per CPU, in thousandths, per run. */
	uint64_t ratios[NODE_MAX][REPEAT_MAX];
	uint32_t ratio_count[NODE_MAX];
};

/* The rules' numbers; no times yet. */
void worker_verdict_begin(struct worker_verdict *verdict, const struct worker_facts *facts);

/* Times of policies zone (all), cores, hmat, calibrated and auto, as far as they ran. */
void worker_verdict_add_init(struct worker_verdict *verdict, struct report *report,
			     const struct init_results *results, uint32_t node_count);

/* Times of the sweep's steps for the rules that have none yet, and the best of them. */
void worker_verdict_add_sweep(struct worker_verdict *verdict, struct report *report,
			      const struct sweep_results *results, uint32_t node_count);

/* "How many workers?", the siblings' share, and which store kernels: the tables to act on. */
void report_how_many(struct report *report, const struct worker_verdict *verdict,
		     const struct store_choice *stores, const struct topology *topology);
