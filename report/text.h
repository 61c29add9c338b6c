/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Lines and tables of the report. */
#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"
#include "lib/stats.h"

/* Without `verbose` a table is cut after REPORT_ROWS rows. The longest text is the command line. */
enum {
	REPORT_COLUMNS = 100,
	REPORT_ROWS = 40,
	REPORT_CELL = 32,
	REPORT_TEXT = sizeof(((struct boot_info *)0)->cmdline) + 32
};

/* One line, its end added. What is longer than REPORT_COLUMNS is cut and ends in "..."; bytes
 * outside printable ASCII become '?', and so does the '@' of "@{". */
__attribute__((format(printf, 2, 3))) void report_line(const struct report *report,
							const char *pattern, ...);

/* An empty line, then a line: the beginning of a stage. */
__attribute__((format(printf, 2, 3))) void report_heading(const struct report *report,
							   const char *pattern, ...);

/* Text of up to REPORT_TEXT - 1 characters over as many lines as it takes, broken at blanks. */
__attribute__((format(printf, 2, 3))) void report_wrapped(const struct report *report,
							   const char *pattern, ...);

/* How many of `total` rows are shown, and the line that says how many were not. */
uint32_t report_rows(const struct report *report, uint32_t total);
void report_rest(const struct report *report, uint32_t total, const char *what);

/* Cycles as nanoseconds, rounded down; 0 while the frequency is unknown. */
uint64_t report_ns(const struct report *report, uint64_t cycles);

/* Between two stamps of the TSC; guards against a counter that was set back in between. */
static inline uint64_t elapsed(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

/* Both write to and return `to`, which holds REPORT_CELL bytes. Milliseconds have as many decimals
 * as fit into eight columns, at most three; memory is in KiB, MiB or GiB. */
char *report_ms(const struct report *report, char *to, uint64_t cycles);
char *report_size(char *to, uint64_t pages);

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
void table_hex(struct table *table, uint64_t value);
void table_ratio(struct table *table, uint64_t numerator, uint64_t denominator, unsigned decimals);
void table_ms(struct table *table, uint64_t cycles);
/* "-" while the frequency of the clock is unknown. */
void table_ns(struct table *table, uint64_t cycles);

/* A number of a summary: "-" when that is of nothing. */
void table_ms_of(struct table *table, const struct summary *of, uint64_t cycles);

/* The five cells under SPREAD_COLUMNS. One run has no standard deviation. */
#define SPREAD_COLUMNS                                                                           \
	{ "mean", "ms", 8 }, { "min", "ms", 8 }, { "median", "ms", 8 }, { "max", "ms", 8 },      \
	{                                                                                        \
		"stddev", "ms", 8                                                                \
	}
void table_spread(struct table *table, const struct summary *cycles);

/* "-" where one of the two is not known (0). */
void table_speedup(struct table *table, uint64_t baseline_cycles, uint64_t cycles);

/* Nanoseconds per page, and gigabytes per second of descriptors stored: two cells. */
void table_rates(struct table *table, uint64_t cycles, uint64_t pages);
