/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How far the other CPUs' time stamp counters may be off the boot CPU's. */
#include "mm/machine/topology.h"

/* Boot CPU, all others idle: exchanges messages with each CPU that is online and sets tsc_bounded,
 * tsc_low and tsc_high of all. Bounded: of a machine so slow that all would take more than about
 * two seconds, the last CPUs stay without. */
void tsc_bound_measure(struct topology *topology);
