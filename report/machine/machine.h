/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The machine as it was found: nodes, CPUs, what lies between them; how its CPUs were started. */
#include "mm/machine/bringup_facts.h"
#include "mm/machine/topology.h"
#include "report/field.h"

extern const struct record_type bringup_record;

/* Nodes, CPUs, distances and bandwidths, once the CPUs are online or given up and their clocks have
 * been compared. */
void report_topology(struct report *report, const struct topology *topology);

/* `direct_gib_pages`: pages of 1 GiB in the direct map. */
void report_bringup(struct report *report, const struct bringup_facts *facts,
		    uint64_t direct_gib_pages);
