/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The machine: memory map, nodes, CPUs. */
#include "report/report.h"

void report_memory_map(struct report *report, const struct memory_map *map);

/* Nodes, CPUs, distances and bandwidths, once the CPUs are online or given up and their clocks have
 * been compared. */
void report_topology(struct report *report, const struct topology *topology);

void report_bringup(struct report *report, const struct report_bringup *facts);
