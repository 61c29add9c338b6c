#pragma once
/* Which CPU this is, for whoever reads a report without having seen the machine. */
#include <stdint.h>

#include "smp/cpu_topology.h"

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
