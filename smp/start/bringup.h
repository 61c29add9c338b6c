#pragma once
/* All other CPUs: started in parallel, then halted until work wakes them. */
#include <stdbool.h>
#include <stdint.h>

#include "boot/cmdline.h"
#include "lib/anomaly.h"
#include "mm/machine/early_alloc.h"
#include "mm/machine/topology.h"

struct bringup_facts {
	bool x2apic;
	uint32_t started;  /* CPUs asked to start */
	uint32_t arrived;
	uint64_t cycles;   /* first INIT to last arrival or to giving up */
};

/* APIC id of the calling CPU, from the APIC in whatever mode the firmware left it. */
uint32_t lapic_boot_id(void);

/* Starts every CPU of `topology` but the boot CPU: INIT to all, 10 ms, SIPI to all, a second and at
 * last a third to those not there yet [SDM 3A 9.4.4, MP B.4]; waits until nobody new has arrived
 * for a while, bounded. Sets online, package, core, thread and arrival_cycles of the CPUs; names in
 * `log` who did not come. Late arrivals park themselves. False (one CPU goes on) when no page below
 * 1 MiB is free or the local APIC cannot be reached; `log` says which. */
bool smp_start(struct topology *topology, struct early_alloc *early, uint64_t lapic_address,
	       enum inject inject, struct bringup_facts *facts, struct anomaly_log *log);

/* Runs function(argument, i) on cpus[i] for i in 0 .. count - 1, all at once, the calling CPU too
 * if it is named, and returns when all are done. CPUs must be online and distinct. Bounded: a CPU
 * that does not return within `timeout_us` without any CPU finishing is named in a panic. */
void smp_run(const uint32_t *cpus, uint32_t count, void (*function)(void *argument, uint32_t index),
	     void *argument, uint64_t timeout_us);

/* The two halves of smp_run for a caller that has other things to do meanwhile. smp_begin returns
 * at once; the calling CPU is not among `cpus`, which stay as they are until smp_wait has
 * returned. */
void smp_begin(const uint32_t *cpus, uint32_t count,
	       void (*function)(void *argument, uint32_t index), void *argument);
void smp_wait(uint64_t timeout_us);

/* For panic(): stops all other CPUs where they are, without waiting for them. */
void smp_halt_others(void);
