/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The records of the workload `stream`. */
#include "report/report.h"
#include "lab/alloc/stream.h"

/* Every sample and every size as a record. */
void report_stream_records(struct report *report, const struct stream_results *results);
