/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* End of the report: the verdict. */
#include <stdint.h>

#include "report/field.h"
#include "report/report.h"

extern const struct record_type verdict_record, end_record;

/* Cut: nothing was found wrong, but a part of the report is lost. */
enum verdict { VERDICT_OK, VERDICT_FAULT, VERDICT_CUT, VERDICTS };

struct report_end {
	enum verdict verdict;
	const char *text;    /* why, in one clause */
	uint64_t lost_bytes; /* of the report, by its sink */
};

/* `verdict` and `end` records: nothing may follow. */
void report_verdict(struct report *report, const struct report_end *end);
