/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which way is best at what, by how much, and how far that is to be trusted. */
#include "report/report.h"
#include "lab/alloc/pcp.h"
#include "lab/summary/pcp_verdict.h"

void report_pcp_verdict(const struct report *report, const struct pcp_results *results,
			const struct pcp_verdict *verdict);
