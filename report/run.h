/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Beginning and end of the report: who booted, the clock, the command line, anomalies, phases. */
#include "report/report.h"

/* `options` is read here only. */
void report_open(struct report *report, const struct sink *sink, const struct options *options);

/* First: who booted what on which CPU, the clock, the faults of the command line; record `run`. */
void report_run(struct report *report, const struct report_run_facts *facts,
		const struct options *options);

/* The entries added to `log` since the last call. */
void report_anomalies(struct report *report, const struct anomaly_log *log);

void report_phases(struct report *report, const struct report_phase *phases, uint32_t count);

/* `verdict` and `end` records: nothing may follow. `text` says why in one clause. */
void report_verdict(struct report *report, bool ok, const char *text);
