/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "mm/machine/topology_parts.h"

/* RAM from the memory map, its nodes from the SRAT. */
void topology_join_ram(struct topology *topology, const struct topology_input *input,
		       struct anomaly_log *log);
