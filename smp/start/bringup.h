/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* All other CPUs: started in parallel, then halted until work wakes them. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/inject_words.h"
#include "lib/anomaly.h"
#include "mm/machine/bringup_facts.h"
#include "mm/machine/early_alloc.h"
#include "mm/machine/topology.h"

/* Starts every CPU of `topology` but the boot CPU: INIT to all, 10 ms, SIPI to all, a second and at
 * last a third to those not there yet [SDM 3A 9.4.4, MP B.4]; waits until nobody new has arrived
 * for a while, bounded. Sets online, package, core, thread and arrival_cycles of the CPUs; names in
 * `log` who did not come. Late arrivals park themselves. False (one CPU goes on) when no page below
 * 1 MiB is free or the local APIC cannot be reached; `log` says which. */
bool smp_start(struct topology *topology, struct early_alloc *early, uint64_t lapic_address,
	       enum inject inject, struct bringup_facts *facts, struct anomaly_log *log);
