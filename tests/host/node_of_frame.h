/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Whose a frame is, by looking at every range. */
#include "mm/machine/topology.h"

/* NODE_NONE: it is no RAM. */
static inline uint32_t node_of_frame(const struct topology *topology, uint64_t pfn)
{
	for (uint32_t i = 0; i < topology->ram_count; i++)
		if (topology->ram[i].start_pfn <= pfn && pfn < topology->ram[i].end_pfn)
			return topology->ram[i].node;
	return NODE_NONE;
}
