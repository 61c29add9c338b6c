#pragma once
/* The second half of init_plan_build: which CPU works for which node, in which order. */
#include "mm/init/plan.h"

/* Sets worker_count of every node with deferred pages, whose jobs are built, and the visits. False:
 * more than fit. */
bool init_plan_assign(struct init_plan *plan, const struct topology *topology,
		      const struct init_rules *rules);

/* A number of visits that is enough whichever CPUs are online. */
uint32_t init_plan_visit_bound(const struct topology *topology);

/* ---- mm/init/plan_workers.c ----------------------------------------------------------------- */

/* The CPUs that may work. */
struct workforce {
	const struct topology *topology;
	const struct init_rules *rules;
	bool without_boot;
	uint16_t online[NODE_MAX]; /* how many of each node */
};

bool workforce_has(const struct workforce *force, uint32_t cpu);

/* Whether an earlier CPU of the node shares the core. Looked for only where it decides. */
bool workforce_has_sibling(const struct workforce *force, uint32_t cpu);

/* Of `node`, whose jobs are built; 0: nothing is deferred, or nobody works. */
uint32_t workforce_count(const struct workforce *force, const struct init_plan *plan,
			 uint32_t node);

/* How many of the node's workers are CPUs of which node. */
void workforce_lend(const struct workforce *force, const struct init_plan *plan, uint32_t node,
		    uint16_t lent[NODE_MAX]);
