/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Machines made by hand, as topology_join would have them; distances 10 and 20. */
#include <stdint.h>
#include <string.h>

#include "mm/machine/topology.h"

static inline void hand_nodes(struct topology *t, uint32_t count)
{
	memset(t, 0, sizeof(*t));
	t->node_count = count;
	t->numa = true;
	for (uint32_t i = 0; i < count; i++) {
		t->nodes[i] = (struct node){ .pxm = i, .adopter = NODE_NONE };
		for (uint32_t j = 0; j < count; j++)
			t->distance[i][j] = i == j ? 10 : 20;
	}
}

/* Ascending; a range that continues the last one of its node grows it. */
static inline void hand_ram(struct topology *t, uint64_t start_pfn, uint64_t end_pfn, uint32_t node)
{
	struct ram_range *last = t->ram_count ? &t->ram[t->ram_count - 1] : NULL;

	t->nodes[node].pages += end_pfn - start_pfn;
	t->ram_pages += end_pfn - start_pfn;
	if (last && last->end_pfn == start_pfn && last->node == node)
		last->end_pfn = end_pfn;
	else
		t->ram[t->ram_count++] = (struct ram_range){ start_pfn, end_pfn, node };
}

static inline void hand_cpus(struct topology *t, uint32_t node, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		t->cpus[t->cpu_count] = (struct cpu){ .apic_id = t->cpu_count, .node = node,
						      .boot = t->cpu_count == 0, .online = true };
		t->cpu_count++;
		t->nodes[node].cpu_count++;
	}
}

static inline void hand_adopt(struct topology *t, uint32_t node, uint32_t adopter)
{
	t->nodes[node].adopted = true;
	t->nodes[node].adopter = adopter;
}
