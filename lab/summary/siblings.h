/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Whether siblings help: one worker per core against one per CPU, in the same comparison. */
#include <stdint.h>

#include "lab/workers/compare_rules.h"
#include "lib/bootstrap.h"

enum sibling_effect {
	SIBLINGS_TOO_FEW_RUNS,
	SIBLINGS_UNDECIDED, /* the interval holds 1 */
	SIBLINGS_HELP,
	SIBLINGS_HINDER
};

/* Time with one worker per core by time with one per CPU, in thousandths. */
struct sibling_ratio {
	struct interval interval;
	uint32_t count; /* runs; 0: not measured */
	enum sibling_effect effect;
};

/* Of one node, or of the slowest node of each run where `node` is NODE_NONE. */
struct sibling_ratio sibling_ratio_of(const struct compare_results *results, uint32_t node);
