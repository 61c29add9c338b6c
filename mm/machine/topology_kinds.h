/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Kinds of core, as CPUs arrive. */
#include "mm/machine/topology.h"

/* Counts a CPU that has arrived among those of its kind, which is new if no CPU before had this
 * design. The boot CPU comes first. */
void topology_add_kind(struct topology *topology, uint32_t cpu, const struct core_design *design);
