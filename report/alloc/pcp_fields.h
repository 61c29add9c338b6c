/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What is told of the experiment `pcp` in records and in the tables of counters. */
#include "lab/summary/pcp.h"
#include "report/field.h"

/* Of a struct pcp_summary. */
extern const struct record_type pcp_result_record;
/* Of a repetition in a cell, with all ways. */
extern const struct record_type pcp_sample_record;
/* Of a free that was refused. */
extern const struct record_type free_fault_record;

/* Every sample and every cell as a record. */
void report_pcp_records(struct report *report, const struct pcp_results *results);

/* A free that was refused: what, where and by whom. The record, and the clause for the verdict. */
void report_free_fault(struct report *report, const struct free_fault *fault, enum pcp pcp);
void free_fault_text(char *text, size_t size, const struct free_fault *fault, enum pcp pcp);
