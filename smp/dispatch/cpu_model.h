/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which CPU this is, for the reader of a report who has not seen the machine. */
#include <stdint.h>

#include "smp/dispatch/cpu_topology.h"

enum {
	CPU_NAME_CHARS = 48,
	HYPERVISOR_CHARS = 12
};

/* Texts are printable ASCII without blanks around them. */
struct cpu_model {
	char name[CPU_NAME_CHARS + 1];         /* brand string; "": the CPU has none */
	char hypervisor[HYPERVISOR_CHARS + 1]; /* its signature; "": none says that it is there */
	uint32_t family, model, stepping;      /* with their extensions [SDM 2A CPUID 01h] */
	uint64_t l2_bytes, l3_bytes;           /* of one such cache; 0: not told */
};

/* Any answers are safe. */
void cpu_model_decode(cpuid_function *ask, void *context, struct cpu_model *model);

/* Bits of a physical address that the CPU has, 32 to 52: leaf 8000_0008h EAX[7:0], 36 without it
 * [SDM 3A 4.1.4]. Any answers are safe. */
uint32_t cpu_address_bits(cpuid_function *ask, void *context);

/* What the CPUs of one machine can differ in that matters to a loop of stores. */
struct core_design {
	uint32_t family, model; /* as above */
	uint32_t type; /* hybrid machines: the vendor's code of the core's type and model; else 0 */
};

/* The type is leaf 1Ah where leaf 7 says that the machine is hybrid [SDM 2A CPUID 07h EDX bit 15,
 * 1Ah EAX], that of 8000_0026h where its EAX says that cores differ [APM 3 CPUID Fn8000_0026, EAX
 * bit 30, EBX 31:24]. Any answers are safe. */
void core_design_decode(cpuid_function *ask, void *context, struct core_design *design);
