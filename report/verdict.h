/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* End of the report: the verdict. */
#include <stdbool.h>

#include "report/field.h"
#include "report/report.h"

extern const struct record_type verdict_record, end_record;

/* `verdict` and `end` records: nothing may follow. `text` says why in one clause. */
void report_verdict(struct report *report, bool ok, const char *text);
