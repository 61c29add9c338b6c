/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Experiment `free`: a table per mapping and fragmentation, the published figures, the verdict,
 * the records.
 * Also of an experiment that a fault ended: of the rows that had a run until then. */
#include "report/report.h"
#include "lab/alloc/free_run.h"

void report_free(struct report *report, const struct free_results *results);

/* ---- its parts ------------------------------------------------------------------------------ */

/* Cycles of all repetitions of a row. */
struct summary report_free_summary(struct report *report, const struct free_row *row);

static inline uint64_t report_free_pages(const struct free_results *results,
					 const struct free_row *row)
{
	return results->mappings[row->mapping].pages;
}

/* What the row is called, in REPORT_CELL bytes. */
const char *report_free_label(char *to, const struct free_results *results,
			      const struct free_row *row);

/* The vanilla row of the same mapping, which is always there. */
const struct free_row *report_free_vanilla(const struct free_results *results,
					   const struct free_row *row);

/* The row after the last one of the mapping of row `first`. */
uint32_t report_free_end(const struct free_results *results, uint32_t first);
