/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How many workers a node gets, and whose CPUs they are. */
#include "mm/init/plan_parts.h"

bool workforce_has(const struct workforce *force, uint32_t cpu);

/* Whether an earlier CPU of the node shares the core. Looked for only where it decides. */
bool workforce_has_sibling(const struct workforce *force, uint32_t cpu);

/* Of `node`, whose jobs are built; 0: nothing is deferred, or nobody works. */
uint32_t workforce_count(const struct workforce *force, const struct init_plan *plan,
			 uint32_t node);

/* How many of the node's workers are CPUs of which node. */
void workforce_lend(const struct workforce *force, const struct init_plan *plan, uint32_t node,
		    uint16_t lent[NODE_MAX]);
