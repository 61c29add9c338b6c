/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `init`, node by node. */
#include "report/init/parts.h"

/* Per node: the medians under every policy and the best of them; where there are one or two
 * policies, or verbose, also everything of every policy. */
void report_nodes(struct report *report, const struct init_results *results,
		  const struct topology *topology);
