/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "lab/summary/init.h"
#include "report/report.h"

/* The run that touched the memmap first, beside the warm ones of its policy. Nothing where there
 * was none. */
void report_cold_run(const struct report *report, const struct init_summary *summary);
