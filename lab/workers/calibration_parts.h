/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the two measurements share. */
#include "lab/workers/calibration.h"
#include "lab/run/timed_run.h"

struct search_node {
	uint32_t most;               /* workers; 0: nothing to search for */
	uint32_t workers;            /* of the current step; 0: the node is through */
	uint64_t start_pfn, end_pfn; /* the longest deferred piece, in whole blocks */
	uint64_t at_pfn;             /* where the next step begins */
	uint64_t pages;              /* of the current step */
	uint64_t point_cycles;       /* per CALIBRATE_CURVE_PAGES, of the last step */
	uint32_t point_workers;
	struct chunk_args args;
	struct job_state job;
};

/* Written by one CPU each. */
struct search_worker {
	_Alignas(64) uint32_t node;
	uint32_t rank;
	uint64_t go_tsc, end_tsc; /* end 0: it found no work */
};

struct calibrate_state {
	const struct calibrate_input *input;
	struct init_plan *plan; /* policy zone, with all workers */
	struct calibration *result;
	/* the current single-core figure */
	uint32_t node;
	uint64_t windows[CALIBRATE_SAMPLES_MAX]; /* first frames */
	uint32_t window_count;
	uint64_t window_pages;
	uint64_t samples[CALIBRATE_SAMPLES_MAX];
	uint32_t sample_count;
	uint64_t busy_cycles;          /* of its CPU */
	/* the search */
	struct search_node *nodes;     /* per node */
	struct search_worker *workers; /* per CPU; those of a step first */
	uint32_t *cpus;                /* per CPU; those of a step first */
	struct barrier *barrier;
	uint64_t wake_cycles;          /* the most that one CPU took to wake, as far as known */
	uint64_t meeting_cycles;       /* of meeting_cpus that had nothing to do but meet */
	uint32_t meeting_cpus;
	uint64_t overhead_cycles;      /* of the last step besides its work */
	uint32_t overhead_cpus;        /* 0: there was no step yet */
};

static inline uint64_t calibrate_now(const struct calibrate_state *c)
{
	const struct lab_machine *machine = c->input->init->machine;

	return machine->now(machine->context);
}
