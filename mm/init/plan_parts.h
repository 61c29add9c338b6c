/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The second half of init_plan_build: which CPU works for which node, in which order. */
#include "mm/init/plan.h"

/* ---- mm/init/plan_workers.c ----------------------------------------------------------------- */

/* The CPUs that may work. */
struct workforce {
	const struct topology *topology;
	const struct init_rules *rules;
	bool without_boot;
	uint16_t online[NODE_MAX]; /* how many of each node */
};
