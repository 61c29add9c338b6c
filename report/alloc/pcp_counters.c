/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/pcp_counters.h"

#include "lab/summary/pcp.h"
#include "lib/format.h"
#include "report/alloc/pcp_cell_name.h"
#include "report/alloc/pcp_fields.h"
#include "report/text.h"

static void one_cell(const struct report *report, const struct pcp_results *results, uint32_t cell)
{
	char name[REPORT_PCP_NAME];
	struct field_table table;

	if (cell == UINT32_MAX)
		return;
	report_heading(report, "%s", report_pcp_cell(name, &results->cells[cell]));
	field_table_begin(&table, report, pcp_result_record.fields, pcp_result_record.count);
	for (uint32_t way = 0; way < results->way_count; way++) {
		struct pcp_summary summary = pcp_summarise(results, cell, way);

		field_table_row(&table, &summary);
	}
}

void report_pcp_counters(const struct report *report, const struct pcp_results *results)
{
	static const struct {
		enum pcp_bench bench;
		uint32_t order, batch;
		bool always; /* else only if verbose */
	} shown[] = {
		{ PCP_ORDERS, 0, 1, false },   { PCP_OUTSTANDING, 0, 1024, true },
		{ PCP_PARALLEL, 0, 1, false }, { PCP_PARALLEL, 3, 1, true },
		{ PCP_CROSS, 0, 1, true },     { PCP_CROSS, 3, 1, false },
	};

	report_heading(report, "why: hits are calls without the zone's lock; the others per 1000 "
			       "operations");
	for (uint32_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (shown[i].always || report->verbose)
			one_cell(report, results, pcp_last_cell(results, shown[i].bench,
								shown[i].order, shown[i].batch));
}
