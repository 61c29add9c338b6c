/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the messages say, and what is to be known about their figures. */
#include "report/report.h"
#include "lab/alloc/stream.h"

/* What can be said of the ways, with intervals, beside what was published. */
void report_stream_verdict(const struct report *report, const struct stream_results *results);
