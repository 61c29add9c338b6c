/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The machine's zones. */
#include "mm/buddy/buddy.h"
#include "mm/machine/topology.h"

/* Sets start_pfn and end_pfn of all zones: from a zone's first frame of RAM to behind its last.
 * What lies between may belong to others. */
void buddy_set_zones(struct buddy *buddy, const struct topology *topology);
