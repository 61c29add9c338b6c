/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Words of the command line that were not understood. */
#include "lab/options.h"
#include "report/report.h"

/* What would have been right in their place, and what holds. */
void report_options(const struct report *report, const struct options *options);

/* `anomaly` records of table `cmdline`. */
void report_option_records(struct report *report, const struct options *options);
