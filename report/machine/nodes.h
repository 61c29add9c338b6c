/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The nodes and their RAM. */
#include "mm/machine/topology.h"
#include "report/field.h"

extern const struct record_type node_record, ram_record;

void report_machine_nodes(const struct report *report, const struct topology *topology);

/* `node` and `ram` records. */
void report_machine_node_records(struct report *report, const struct topology *topology);
