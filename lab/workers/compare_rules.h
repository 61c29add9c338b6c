/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * What every rule's numbers of workers give, and every number: one mechanism for all (as policy
 * calibrated: one job per zone, initialised and freed block by block), all nodes at once, and only
 * the numbers differ.
 *
 * A step is a number of workers for each node. That of rule auto has memory-only nodes shared by
 * all nodes with the nearest CPUs, as the policy has it. First come the rules' steps, then those of
 * a small sweep: all CPUs of the largest node, then 1, 2, 3, 4, 6, 8 ... of them from the most
 * down, each node with as many as it has. What asks for the same numbers everywhere is one step, so
 * that the same thing is not timed twice and found to differ. The steps of a repetition are
 * interleaved. Of the options repeat, chunk, split and page_size apply; threads= does not, which
 * would make all rules alike.
 *
 * The time is bounded. Every rule has one run. In the first repetition, which goes through the
 * steps in their order, the sweep ends before a step that would not fit into the limit if its time
 * grew as its workers become fewer; and no repetition is begun that would not fit if it took as
 * long as the one before.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"
#include "mm/init/worker_rules.h"

enum { COMPARE_STEPS_MAX = 40 };

struct compare_step {
	uint32_t workers[NODE_MAX]; /* asked for; 0: nobody can work for the node */
	uint32_t swept;             /* the number, where it is a step of the sweep; else 0 */
	bool shared;                /* memory-only nodes are, of which there are some */
};

struct compare_results {
	struct compare_step steps[COMPARE_STEPS_MAX];
	uint32_t step_count;
	uint32_t rule_steps[RULE_COUNT]; /* indices into steps */
	struct step_sample *samples;
	uint32_t sample_count;
	uint32_t repetitions, wanted;    /* done, all steps of each; asked for */
	uint32_t left_out;               /* steps of the sweep for which there was no time */
	uint64_t cycles, limit_cycles;   /* it took, it had */
	enum store store;            /* of all runs, on the boot CPU's kind of core */
	uint32_t page_size;
	struct verify_totals expected;
	struct run_sample last; /* the last run; where not `verified`, the one that failed */
	bool verified;               /* every run passed the same checks as in experiment init */
};

struct compare_input {
	const struct lab_input *init;
	const uint32_t (*workers)[NODE_MAX]; /* of each node, per rule */
	uint64_t limit_cycles;
};

/* See lab/input.h. */
uint64_t compare_bytes(const struct lab_input *input, uint32_t extra_reserved);
bool compare_run(const struct compare_input *input, void *memory, uint64_t bytes,
		 struct compare_results *results);
