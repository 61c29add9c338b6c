/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What a long experiment is at. */
#include "report/report.h"

/* A long experiment says what it is at: `done` of `total` runs are over and one of `what` begins.
 * Prints at most one line per two seconds; `done` 0 starts the clock. */
void report_progress(struct report *report, const char *what, uint32_t done, uint32_t total,
		     uint64_t now_tsc);
