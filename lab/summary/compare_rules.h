/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Sums up the comparison of numbers of workers. */
#include <stdint.h>

#include "lab/summary/step_summary.h"
#include "lab/workers/compare_rules.h"

/* The numbers of the small sweep on one node, ascending, without those for which the node had no
 * use. Returns how many. The first is of one worker, unless its step was left out. */
uint32_t summarise_numbers(const struct compare_results *results, uint32_t node,
			   struct step_summary numbers[COMPARE_STEPS_MAX]);
