/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Whether siblings help: the sentences, and the records that follow at the end of the stage. */
#include "lab/summary/how_many.h"
#include "report/field.h"

extern const struct record_type siblings_record;

void report_sibling_advice(const struct report *report, const struct worker_verdict *verdict);
void report_sibling_records(struct report *report, const struct worker_verdict *verdict);
