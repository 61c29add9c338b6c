/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Lines of the report, and numbers as people read them. */
#include <stdbool.h>
#include <stdint.h>

#include "lib/minmax.h"
#include "report/report.h"

/* Without `verbose` a table is cut after REPORT_ROWS rows. */
enum {
	REPORT_COLUMNS = 100,
	REPORT_ROWS = 40,
	REPORT_CELL = 32,
	REPORT_TEXT = 1056
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

/* `text` of any length in the same way, behind a short `lead`. */
void report_wrapped_text(const struct report *report, const char *lead, const char *text);

/* How many of `total` rows are shown, and the line that says how many were not. */
uint32_t report_rows(const struct report *report, uint32_t total);
void report_rest(const struct report *report, uint32_t total, const char *what);

/* Cycles as nanoseconds, rounded down; 0 while the frequency is unknown. */
uint64_t report_ns(const struct report *report, uint64_t cycles);

/* Between two stamps of the TSC; guards against a counter that was set back in between. */
static inline uint64_t elapsed(uint64_t from, uint64_t to)
{
	return saturating_sub_u64(to, from);
}

/* Both write to and return `to`, which holds REPORT_CELL bytes. Milliseconds have as many decimals
 * as fit into eight columns, at most three; memory is in KiB, MiB or GiB. */
char *report_ms(const struct report *report, char *to, uint64_t cycles);
char *report_size(char *to, uint64_t pages);
