/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Package, core and thread of a CPU, from what CPUID says on that CPU. */
#include <stdint.h>

#include "lib/cpu.h"

/* Ids as extracted from the APIC id: `core` is unique in the machine, `thread` within its core. */
struct cpu_location {
	uint32_t package, core, thread;
};

typedef struct cpuid_result cpuid_function(void *context, uint32_t leaf, uint32_t subleaf);

/* Decodes with the first of these that the CPU has: leaf 1Fh, leaf 0Bh [SDM 3A 9.9.3],
 * 8000_001Eh with 8000_0008h [APM 3 E.4], leaves 4 and 1 [SDM 3A 9.9.3]. `apic_id` is the
 * full id that the CPU's APIC answers to. Any answers are safe; nonsense gives one core per CPU. */
void cpu_topology_decode(cpuid_function *ask, void *context, uint32_t apic_id,
			 struct cpu_location *location);
