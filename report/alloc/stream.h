/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Workload `stream` of the experiment `pcp`: per setting a table of the published shape and what a
 * message asks of the page allocator, then the verdict, then the records. */
#include "report/report.h"
#include "lab/alloc/stream.h"

void report_stream(struct report *report, const struct stream_results *results);

/* ---- its parts ------------------------------------------------------------------------------ */

/* So many settings, the first ones, have tables of counters without `verbose`. */
enum { REPORT_STREAM_COUNTED = 2, REPORT_STREAM_NAME = 96 };

/* Who and with which buffers, in REPORT_STREAM_NAME bytes; returns `to`. */
const char *report_stream_setting(char *to, const struct stream_setting *setting);
