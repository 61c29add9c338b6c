/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * How fast the time stamp counter runs, when several say so and not all of them are right: what a
 * hypervisor hands on of its host's CPUID may be that of another machine than the guest's clock.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/anomaly.h"
#include "smp/dispatch/cpu_topology.h"

/* The first that is there counts, but for CPUID 15h: it is exact, and goes before timers that say
 * about the same. */
enum tsc_source {
	TSC_FROM_HYPERVISOR, /* leaf 4000_0010h, or Hyper-V's register */
	TSC_FROM_HPET,
	TSC_FROM_PM_TIMER,
	TSC_FROM_PIT,
	TSC_FROM_CPUID_15,
	TSC_FROM_CPUID_16, /* nominal: off by a fraction of a percent on some machines */
	TSC_ASSUMED,       /* 1 GHz */
	TSC_SOURCES
};

struct tsc_frequency {
	enum tsc_source source;
	uint64_t hz;
};

/* Words of the record `run`. */
const char *tsc_source_name(enum tsc_source source);

/* 50 MHz to 20 GHz. */
bool tsc_plausible(uint64_t hz);

/* Reads a model-specific register; false when it is not there. */
typedef bool tsc_register_reader(uint32_t msr, uint64_t *value);

/* What one of TSC_FROM_HYPERVISOR, TSC_FROM_CPUID_15 and TSC_FROM_CPUID_16 says, in Hz; 0: nothing.
 * Any answers are safe. */
uint64_t tsc_stated_hz(enum tsc_source source, cpuid_function *ask, void *context,
		       tsc_register_reader *read);

/* The TSC measured by the timer of TSC_FROM_HPET, TSC_FROM_PM_TIMER or TSC_FROM_PIT, which takes a
 * while; 0: there is none, or it stands still. */
typedef uint64_t tsc_timer(void *context, enum tsc_source source);

/*
 * Chooses. `stated` is by source, 0 where nothing is told. Timers are asked until one answers, and
 * a second one only where that contradicts CPUID 15h: then the one of the three that stands alone
 * is not believed, the first timer where each does. Who is more than 3 % off what is chosen is an
 * anomaly of two entries, the other frequency and the one that is believed.
 */
struct tsc_frequency tsc_choose(const uint64_t stated[TSC_SOURCES], tsc_timer *measure,
				void *context, struct anomaly_log *log);
