/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/topology_kinds.h"

#include "mm/machine/topology.h"

static bool same_design(const struct core_design *a, const struct core_design *b)
{
	return a->family == b->family && a->model == b->model && a->type == b->type;
}

void topology_add_kind(struct topology *topology, uint32_t cpu, const struct core_design *design)
{
	uint32_t kind = 0;

	while (kind < topology->kind_count &&
	       !same_design(&topology->kinds[kind].design, design))
		kind++;
	if (kind == CORE_KINDS_MAX)
		kind--;
	else if (kind == topology->kind_count)
		topology->kinds[topology->kind_count++] = (struct core_kind){ *design, 0 };
	topology->kinds[kind].cpus++;
	topology->cpus[cpu].kind = kind;
}
