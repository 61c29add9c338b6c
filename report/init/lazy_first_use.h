/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Policy lazy: a short critical path against what first use then costs. */
#include "lab/summary/init.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type init_lazy_record, init_first_use_record;

/* Nothing without such runs. */
void report_first_use(struct report *report, const struct init_results *results,
		      const struct init_summary *summary);
