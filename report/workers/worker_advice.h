/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What to do about numbers of workers, and how far that is to be trusted. */
#include "lab/summary/how_many.h"
#include "report/report.h"

/* What to do: whether siblings help, how many workers to take, and how far to trust that. */
void report_advice(struct report *report, const struct worker_verdict *verdict);
