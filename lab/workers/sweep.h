/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Experiment `sweep`: where is the knee? Policy zone with 1, 2, 3, 4, 6, 8, 12, 16 ... workers per
 * node up to all CPUs of the node with the most, one CPU of each core before the siblings; and,
 * with all CPUs, chunks of 4 MiB to 2 GiB, as long as a node has as much deferred. All steps are
 * interleaved over the repetitions, which count from 0, in an order that changes with them. A node
 * with fewer CPUs than a step takes part with those it has, and none with more than it has sections
 * or chunks. Of the options, repeat, split and page_size apply.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"

enum sweep_axis { SWEEP_WORKERS, SWEEP_CHUNK, SWEEP_AXES };
enum { SWEEP_STEPS_MAX = 48 };

struct sweep_step {
	enum sweep_axis axis;
	uint32_t workers;      /* per node, asked for */
	uint64_t chunk_pages;  /* 0: the rules' */
};

struct sweep_results {
	struct sweep_step steps[SWEEP_STEPS_MAX]; /* by axis, then ascending */
	uint32_t step_count;
	struct step_sample *samples;
	uint32_t sample_count;
	enum store store;            /* what wrote the struct pages */
	uint32_t page_size;          /* bytes per descriptor; other than 64: only initialised */
	struct verify_totals expected;
	struct run_sample last; /* the last run; where not `verified`, the one that failed */
	uint32_t last_step;
	bool verified;               /* every run passed the same checks as in experiment init */
};

/* See lab/input.h. */
uint64_t sweep_bytes(const struct lab_input *input, uint32_t extra_reserved);
bool sweep_run(const struct lab_input *input, void *memory, uint64_t bytes,
	       struct sweep_results *results);
