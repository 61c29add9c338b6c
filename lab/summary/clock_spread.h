/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How far the time stamp counters of different CPUs may lie apart: every time that spans two of
 * them is so vague. */
#include <stdint.h>

#include "mm/machine/topology.h"

struct clock_spread {
	uint32_t cpus;        /* that could be compared with the boot CPU */
	uint32_t drifting;    /* of them, those that do not keep pace with it */
	uint64_t most_cycles; /* an upper bound of the distance of each from the boot CPU's */
};

struct clock_spread clock_spread(const struct topology *topology);
