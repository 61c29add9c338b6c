/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What an experiment needs of the machine: the kernel's CPUs, or threads on a host. */
#include <stdint.h>

#include "lib/minmax.h"

/* Counters of the CPU that reads them; what it does not have is DISTURBANCE_UNKNOWN. */
struct disturbance {
	uint64_t smi;          /* system management interrupts since reset [SDM 4 MSR_SMI_COUNT] */
	uint64_t aperf, mperf; /* actual and nominal cycles [SDM 3B 15.5.5] */
};
#define DISTURBANCE_UNKNOWN UINT64_MAX

/* later - earlier of two stamps that different CPUs took: their clocks may differ by a little. */
static inline uint64_t cycles_between(uint64_t earlier, uint64_t later)
{
	return saturating_sub_u64(later, earlier);
}

struct lab_machine {
	/* function(argument, i) on cpus[i], for all i; returns when all have returned. The calling
	 * CPU may be among them. */
	void (*run)(void *context, const uint32_t *cpus, uint32_t count,
		    void (*function)(void *argument, uint32_t index), void *argument);
	/* The same in two halves, for CPUs other than the calling one. */
	void (*start)(void *context, const uint32_t *cpus, uint32_t count,
		      void (*function)(void *argument, uint32_t index), void *argument);
	void (*wait)(void *context);
	uint64_t (*now)(void *context); /* time stamp counter of the calling CPU */
	void (*disturbance)(void *context, struct disturbance *reading); /* of the calling CPU */
	uint64_t timeout_cycles; /* for what others are waited for, from the moment of arrival */
	void *context;
};
