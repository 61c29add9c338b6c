/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How long each policy took: the table of the policies. */
#include "lab/summary/init.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type init_policy_record;

/* The slowest node of each run, what of it is not to be quoted, and the cold run. */
void report_policies(const struct report *report, const struct init_summary *summary,
		     bool init_only);

/* The record of one policy. */
void report_policy_record(struct report *report, const struct init_policy_summary *policy);
