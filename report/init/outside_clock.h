/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What a run is made of besides its clock: waking, the boot CPU's early part; and two passes. */
#include "lab/summary/init.h"
#include "report/report.h"

/* What is outside the clock, and the passes inside it. */
void report_outside_clock(const struct report *report, const struct init_summary *summary);
