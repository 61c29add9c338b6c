/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The tables of the experiment `init` besides that of the policies, one idea each, with the records
 * of what they sum up. */
#include "report/report.h"

/* What is outside the clock (waking, the boot CPU's early part), and the passes inside it. */
void report_parts(struct report *report, const struct init_results *results);

/* The medians of these to the record under way, and the cold run where it is of `policy`. */
void report_part_fields(struct report *report, const struct init_results *results,
			enum policy policy);
