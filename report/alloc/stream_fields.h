/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The records of the workload `stream`. */
#include "lab/summary/stream.h"
#include "report/field.h"

/* Of a struct stream_summary. */
extern const struct record_type stream_result_record;
/* Of a repetition at one size, with all ways. */
extern const struct record_type stream_sample_record;

/* Every sample and every size as a record. */
void report_stream_records(struct report *report, const struct stream_results *results);
