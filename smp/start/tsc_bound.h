/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How far the other CPUs' time stamp counters may be off the boot CPU's. */
#include "mm/machine/topology.h"

/* Boot CPU, all others idle: sets tsc_bounded, tsc_low and tsc_high of every CPU that is online.
 * Exchanges messages with one after the other for about half a second; those that are left, on a
 * machine with very many or very slow ones, are bounded by a single message to all. */
void tsc_bound_measure(struct topology *topology);
