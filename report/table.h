/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Tables of the report, cell by cell. What one row of a struct tells has a description instead
 * (report/field.h); this is for the rest, such as matrices. */
#include <stdbool.h>
#include <stdint.h>

#include "lib/stats.h"
#include "report/report.h"
#include "report/text.h"

struct column {
	const char *title, *unit; /* the two lines of the header */
	int width;                /* negative: left-aligned */
};

/* Cells are given from left to right; the last one of a row writes its line. A cell that is too
 * wide shifts its neighbours only as far as it must. */
struct table {
	const struct report *report;
	const struct column *columns;
	uint32_t column_count;
	uint32_t next;   /* column of the next cell */
	uint32_t length; /* of `line` */
	uint32_t edge;   /* where the current column ends */
	char line[REPORT_COLUMNS + REPORT_CELL + 2];
};

/* Writes the header. */
void table_begin(struct table *table, const struct report *report, const struct column *columns,
		 uint32_t count);
void table_text(struct table *table, const char *text);
void table_u64(struct table *table, uint64_t value);
void table_ratio(struct table *table, uint64_t numerator, uint64_t denominator, unsigned decimals);

/* A number of a summary: "-" when that is of nothing. */
void table_ms_of(struct table *table, const struct summary *of, uint64_t cycles);

/* "-" where one of the two is not known (0). */
void table_speedup(struct table *table, uint64_t baseline_cycles, uint64_t cycles);
