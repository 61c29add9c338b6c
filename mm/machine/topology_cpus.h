/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The second step of topology_join. */
#include "mm/machine/topology_parts.h"

/* CPUs from the MADT, their nodes from the SRAT. */
void topology_join_cpus(struct topology *topology, const struct topology_input *input,
			struct anomaly_log *log);
