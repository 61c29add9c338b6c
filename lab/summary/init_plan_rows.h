/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The plans of the experiment `init`, as far as they are told: who initialises how much. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"

struct init_plan_row {
	enum policy policy;
	enum store store;     /* what writes the struct pages */
	uint32_t node;
	uint32_t workers, jobs;
	uint64_t chunk_pages; /* of the node's largest job, as the dispatcher sizes it */
	uint64_t chunk_mib;   /* of RAM, rounded down */
	uint64_t early_pages, deferred_pages, free_pages, reserved_pages, hole_pages;
};

/* Of the `which`th policy, on one node. */
struct init_plan_row init_plan_row(const struct init_results *results, uint32_t which,
				   uint32_t node);

/* Whether the plans of all policies differ in nothing but who does the work. */
bool init_plans_share_pages(const struct init_results *results, uint32_t node_count);

/* Least and most of one policy over the nodes that have something deferred. */
struct init_plan_extent {
	uint64_t min, max; /* min > max: there is no such node */
};
struct init_plan_extents {
	struct init_plan_extent workers, jobs, chunk_mib;
};

struct init_plan_extents init_plan_extents(const struct init_results *results, uint32_t which,
					   uint32_t node_count);

/* CPUs that work for a node that is not theirs. */
struct init_lent_row {
	enum policy policy;
	uint32_t node, from, workers;
};

/* How many CPUs of each other node work for `node`; false: none do, or nothing is deferred. */
bool init_count_lent(const struct init_plan *plan, const struct topology *topology, uint32_t node,
		     uint16_t lent[NODE_MAX]);
