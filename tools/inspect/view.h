/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What both forms of the answer work out from the machine. */
#include <stdbool.h>
#include <stdint.h>

#include "tools/inspect/inspection.h"

/* CPUs of `node`, without the boot CPU that was only assumed. */
uint32_t view_node_cpus(const struct inspection *inspection, uint32_t node);

/* The parts below need a plan that was made. */

/* Units of the largest chunk that the dispatcher would hand out for `node`. */
uint64_t view_node_chunk(const struct init_plan *plan, uint32_t node);

/* Sections of the memmap that describe `node`, and those of them that another node backs. */
struct view_sections {
	uint64_t sections, remote;
};
struct view_sections view_node_sections(const struct inspection *inspection, uint32_t node);

/* The frames that hold the memmap, in runs of one node, by ascending pfn; the caller frees them. */
struct view_backing {
	uint64_t start_pfn, end_pfn;
	uint32_t node;
};
struct view_backing *view_backing(const struct inspection *inspection, uint64_t *count);
