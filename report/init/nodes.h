/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiment `init`, node by node. */
#include "lab/summary/init.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type init_node_result_record, init_best_record;

/* Per node: the medians under every policy and the best of them; where there are one or two
 * policies, or verbose, also everything of every policy. */
void report_nodes(struct report *report, const struct init_summary *summary);

/* The records of the `which`th policy, one for each node that has a result. */
void report_node_records(struct report *report, const struct init_summary *summary,
			 uint32_t which);
