/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What firmware, loader or user got wrong. */
#include "lib/anomaly.h"
#include "report/field.h"

extern const struct record_type anomaly_record;

/* One record; `word` of the command line, as given, or NULL. */
void report_anomaly(struct record_stream *records, const struct anomaly *anomaly, const char *word);

/* The entries added to `log` since the last call. */
void report_anomalies(struct report *report, const struct anomaly_log *log);
