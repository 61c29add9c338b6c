/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What was found after each run of the experiment `init`. */
#include "lab/summary/init.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type init_verify_record;

/* Struct pages and claims, the page allocator, growth. */
void report_init_verification(struct report *report, const struct init_results *results,
			      const struct init_summary *summary);
