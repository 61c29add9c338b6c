/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which CPUs take part. */
#include "lab/workers/bandwidth.h"
#include "lab/workers/bandwidth_parts.h"

/* The CPUs of `node` for that number of workers on that number of cores: from each core as many of
 * its siblings as divide the workers among them; where each core has to give several, of cores
 * that have them. Returns how many were found. */
uint32_t bandwidth_team(const struct topology *topology, uint32_t node, uint32_t workers,
			uint32_t cores, uint32_t *cpus);

/* How many cores the node has online; its CPUs, and the cores that have several of them. */
uint32_t bandwidth_cores(const struct topology *topology, uint32_t node, uint32_t *cpus,
			 uint32_t *paired);

/* The rows of a node's sibling table, workers and cores only; their number. */
uint32_t bandwidth_rows(uint32_t cores, uint32_t cpus, uint32_t paired,
			struct sibling_row rows[BANDWIDTH_ROWS_MAX]);
