/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What is told of a row of the experiment `free`, in its records and its table. */
#include "lab/summary/free.h"
#include "report/field.h"

struct free_told {
	struct free_summary s;
	char label[REPORT_CELL]; /* the way, and what else tells rows of it apart */
};

struct free_told free_told(const struct free_results *results, const struct free_row *row);

/* Of a struct free_told. */
extern const struct record_type free_result_record;
/* Of a run. */
extern const struct record_type free_sample_record;

/* What pages of a mapping are called in tables. */
const char *free_page_size(enum mapping mapping);

/* Every run and every row as a record. */
void report_free_records(struct report *report, const struct free_results *results);
