/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How long the experiment `init` took: one node, or all at once. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"
#include "lib/stats.h"

/* Of the warm runs of one policy. */
struct init_time {
	enum policy policy;
	uint32_t node;             /* NODE_NONE: the slowest node of each run */
	uint32_t workers;          /* of this node, else the most that any node had */
	uint32_t descriptor_bytes;
	uint64_t pages;            /* that were timed */
	uint64_t stored_pages;     /* of them; 0: too few for a rate, as a block's first alone */
	struct summary cycles;     /* count 0: nothing to do, or no run got so far */
	uint64_t baseline_cycles;  /* the median of the same under POLICY_NODE; 0: unknown */
	uint64_t speedup_milli;    /* against that; 0: unknown */
};

/* Of one node. `baseline_cycles`: the median of this node under POLICY_NODE, or 0. */
struct init_time init_time_of_node(const struct init_results *results, enum policy policy,
				   uint32_t node, uint64_t baseline_cycles);

/* Of the slowest node of each run. `pages` are those of the slowest node in the run that is nearest
 * to the median; under policy serial, whose last node's time is that of all nodes, those of all. */
struct init_time init_time_of_runs(const struct init_results *results, enum policy policy);

/* Whether the policy does the whole work of a node with all nodes at once, and may be called the
 * best: serial has the machine to itself, lazy leaves most of the work for later. */
bool init_is_comparable(enum policy policy);
