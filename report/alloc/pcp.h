/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Experiment `pcp`: tables of the published shape, then what the allocator and the zones' locks
 * counted, the verdict, the records. Nothing where it ended before the first figure. */
#include "report/report.h"
#include "lab/alloc/pcp.h"

void report_pcp(struct report *report, const struct pcp_results *results);
