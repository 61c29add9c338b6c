/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The records of the experiment `pcp`. */
#include "report/report.h"
#include "lab/alloc/pcp_run.h"

/* Every sample and every cell as a record. */
void report_pcp_records(struct report *report, const struct pcp_results *results);

/* A free that was refused: what, where and by whom. The record, and the clause for the verdict. */
void report_free_fault(struct report *report, const struct free_fault *fault, enum pcp pcp);
void free_fault_text(char *text, size_t size, const struct free_fault *fault, enum pcp pcp);
