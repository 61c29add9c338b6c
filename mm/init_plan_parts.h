#pragma once
/* The second half of init_plan_build: which CPU works for which node, in which order. */
#include "mm/init_plan.h"

/* Sets worker_count of every node with deferred pages, whose jobs are built, and the visits. False:
 * more than fit. */
bool init_plan_assign(struct init_plan *plan, const struct topology *topology,
		      const struct init_rules *rules);

/* A number of visits that is enough whichever CPUs are online. */
uint32_t init_plan_visit_bound(const struct topology *topology);
