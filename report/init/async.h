/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Policy async: what the boot CPU's allocations cost while the workers run. */
#include "lab/summary/init_async.h"
#include "report/field.h"
#include "report/report.h"

extern const struct record_type init_async_record, init_latency_record, init_async_result_record;

/* Nothing without such runs. */
void report_async(struct report *report, const struct init_results *results,
		  const struct init_async *async);
