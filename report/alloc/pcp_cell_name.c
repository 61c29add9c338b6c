/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/alloc/pcp_cell_name.h"

#include "lib/format.h"

const char *report_pcp_cell(char *name, const struct pcp_cell *cell)
{
	const char *nodes = cell->place == CREW_NODE ? "one node" : "all nodes";
	uint32_t pairs = cell->workers / 2;

	if (cell->bench == PCP_ORDERS)
		format(name, REPORT_PCP_NAME, "one CPU, order %u", cell->order);
	else if (cell->bench == PCP_OUTSTANDING && cell->workers > 1)
		format(name, REPORT_PCP_NAME, "%u CPUs, %s, %u pages", cell->workers, nodes,
		       cell->batch);
	else if (cell->bench == PCP_BULK && cell->workers > 1)
		format(name, REPORT_PCP_NAME, "%u CPUs, %s, %u a call", cell->workers,
		       nodes, cell->batch);
	else if (cell->bench == PCP_OUTSTANDING)
		format(name, REPORT_PCP_NAME, "one CPU, %u pages outstanding", cell->batch);
	else if (cell->bench == PCP_BULK)
		format(name, REPORT_PCP_NAME, "one CPU, %u pages by one call", cell->batch);
	else if (cell->bench == PCP_PARALLEL)
		format(name, REPORT_PCP_NAME, "%u CPUs of %s, order %u", cell->workers, nodes,
		       cell->order);
	else
		format(name, REPORT_PCP_NAME, "%u pair%s of %s, order %u", pairs,
		       pairs > 1 ? "s" : "", nodes, cell->order);
	return name;
}
