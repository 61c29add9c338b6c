/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Why the figures are as they are: what was taken without the zone's lock, and what it cost. */
#include "report/report.h"
#include "lab/alloc/pcp.h"

/* How often each way was served by its lists, refilled and drained them. */
void report_pcp_counters(const struct report *report, const struct pcp_results *results);
