/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/counters.h"

#include <stdbool.h>

#include "kernel/traps.h"
#include "lib/cpu.h"

enum {
	/* [SDM 4 table 2-2] */
	MSR_SMI_COUNT = 0x34,
	MSR_MPERF = 0xe7,
	MSR_APERF = 0xe8,

	FEATURE_EFFECTIVE_FREQUENCY = 1 << 0, /* CPUID 6 ECX [SDM 2A CPUID, APM 3 E.4.3] */
	FAMILY_6 = 6,
};

static const uint32_t msrs[COUNTERS] = {
	[COUNTER_SMI] = MSR_SMI_COUNT,
	[COUNTER_APERF] = MSR_APERF,
	[COUNTER_MPERF] = MSR_MPERF,
};

static bool present[COUNTERS];

/* No feature bit tells of MSR_SMI_COUNT: Intel has had it since Nehalem, in family 6; whether this
 * CPU, or the hypervisor in its place, has it shows when it is read. */
static bool may_count_smi(void)
{
	struct cpuid_result vendor = cpuid(0, 0);
	bool intel = vendor.ebx == 0x756e6547 && vendor.edx == 0x49656e69 &&
		     vendor.ecx == 0x6c65746e; /* GenuineIntel */

	return intel && (cpuid(1, 0).eax >> 8 & 0xf) == FAMILY_6;
}

static bool has_effective_frequency(void)
{
	return cpuid(0, 0).eax >= 6 && cpuid(6, 0).ecx & FEATURE_EFFECTIVE_FREQUENCY;
}

void counters_init(void)
{
	uint64_t value;

	present[COUNTER_SMI] = may_count_smi();
	present[COUNTER_APERF] = present[COUNTER_MPERF] = has_effective_frequency();
	for (uint32_t i = 0; i < COUNTERS; i++)
		present[i] = present[i] && rdmsr_safe(msrs[i], &value);
}

uint64_t counter_read(enum counter counter)
{
	uint64_t value;

	if (!present[counter] || !rdmsr_safe(msrs[counter], &value))
		return COUNTER_MISSING;
	return value;
}
