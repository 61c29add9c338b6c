/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The third step of topology_join. */
#include "mm/machine/topology_parts.h"

/* RAM from the memory map, its nodes from the SRAT. */
void topology_join_ram(struct topology *topology, const struct topology_input *input,
		       struct anomaly_log *log);
