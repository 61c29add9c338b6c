/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The page allocator after every run of the experiment `init`. */
#include "lab/summary/init.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type init_allocator_record, init_growth_record;

/* What it must be, and was. */
void report_allocator(struct report *report, const struct init_results *results,
		      const struct init_summary *summary);

/* The run in which the nodes were grown. Nothing where there was none. */
void report_growth(struct report *report, const struct init_growth *growth);
