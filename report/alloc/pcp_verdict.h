/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which way is best at what, by how much, and how far that is to be trusted. */
#include "report/alloc/pcp.h"

/* Which way is best at what, with intervals. */
void report_pcp_verdict(struct report *report, const struct pcp_results *results);
