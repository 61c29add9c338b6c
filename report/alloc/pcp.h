#pragma once
/* Experiment `pcp`: tables of the published shape, then what the allocator and the zones' locks
 * counted, the verdict, the records. Nothing where it ended before the first figure. */
#include "report/report.h"
#include "lab/alloc/pcp_run.h"

/* The published benchmark of this name. */
const char *report_pcp_bench(enum pcp_bench bench);

void report_pcp(struct report *report, const struct pcp_results *results);

/* ---- its parts ------------------------------------------------------------------------------ */

/* Thousandths of cycles per operation, of all repetitions that have a figure. */
struct summary report_pcp_summary(struct report *report, const struct pcp_results *results,
				  uint32_t cell, uint32_t way);

/* Operations of all repetitions, in the sense of struct pcp_sample, by what the allocator counted:
 * warming up included. */
uint64_t report_pcp_operations(const struct pcp_results *results, uint32_t cell, uint32_t way);

/* What is measured in a cell, in REPORT_PCP_NAME bytes; returns `name`. */
enum { REPORT_PCP_NAME = 48 };
const char *report_pcp_cell(char *name, const struct pcp_cell *cell);

/* The first cell of its kind; and the last one that was measured, with most CPUs and most nodes: if
 * none was, the first. UINT32_MAX: there is none. */
uint32_t report_pcp_first(const struct pcp_results *results, enum pcp_bench bench, uint32_t order,
			  uint32_t batch);
uint32_t report_pcp_last(const struct pcp_results *results, enum pcp_bench bench, uint32_t order,
			 uint32_t batch);

void report_pcp_verdict(struct report *report, const struct pcp_results *results);
void report_pcp_counters(const struct report *report, const struct pcp_results *results);
void report_pcp_records(struct report *report, const struct pcp_results *results);

/* A free that was refused: what, where and by whom. The record, and the clause for the verdict. */
void report_free_fault(struct report *report, const struct free_fault *fault, enum pcp pcp);
void free_fault_text(char *text, size_t size, const struct free_fault *fault, enum pcp pcp);
