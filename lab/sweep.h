#pragma once
/*
 * Experiment `sweep`: where is the knee? Policy zone with 1, 2, 3, 4, 6, 8, 12, 16 ... workers per node up
 * to all CPUs of the largest node, one CPU of each core before the siblings; then, with all CPUs, chunks of
 * 4 MiB to 2 GiB. All steps are interleaved over the repetitions. A node with fewer CPUs than a step takes
 * part with those it has.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init_run.h"

enum sweep_axis { SWEEP_WORKERS, SWEEP_CHUNK };
enum { SWEEP_STEPS_MAX = 48 };

struct sweep_step {
	enum sweep_axis axis;
	uint32_t workers;      /* per node, asked for */
	uint64_t chunk_pages;  /* 0: the rules' */
};

struct sweep_sample {
	uint32_t step;         /* index into steps */
	uint32_t repetition;
	uint32_t node;
	uint32_t workers;      /* that took part on this node */
	uint64_t pages, cycles;
};

struct sweep_results {
	struct sweep_step steps[SWEEP_STEPS_MAX];
	uint32_t step_count;
	struct sweep_sample *samples;
	uint32_t sample_count;
	bool verified;         /* every run passed the same checks as in experiment init */
};

/* Scratch of init_run is enough for a sweep when it was sized for both: bytes as init_run_bytes. */
uint64_t sweep_run_bytes(const struct init_input *input, uint32_t extra_reserved);
bool sweep_run(const struct init_input *input, void *memory, uint64_t bytes,
	       struct sweep_results *results);
