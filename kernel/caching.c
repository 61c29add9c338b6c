/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/caching.h"

#include "kernel/io.h"
#include "kernel/traps.h"
#include "lib/cpu.h"
#include "lib/string.h"
#include "smp/start/roster.h"

enum {
	MSR_PAT = 0x277,
	FEATURE_MTRR = 1 << 12, /* CPUID 1 EDX */
	FEATURE_PAT = 1 << 16,
	AMD_FAMILY = 15,
	NOTES_MAX = 4,
};
#define FEATURE_HYPERVISOR (1u << 31) /* CPUID 1 ECX */
#define PAT_AFTER_RESET 0x0007040600070406ull /* [SDM 3A table 11-12] */

static const struct mtrr_state *expected;
static const struct memory_map *ram;

/* The base family, which is 15 at most. */
static bool is_amd(void)
{
	struct cpuid_result r = cpuid(0, 0);
	uint32_t vendor[3] = { r.ebx, r.edx, r.ecx };

	return (cpuid(1, 0).eax >> 8 & 15) == AMD_FAMILY &&
	       (memcmp(vendor, "AuthenticAMD", 12) == 0 || memcmp(vendor, "HygonGenuine", 12) == 0);
}

void caching_read(struct mtrr_state *state)
{
	mtrr_read(state, rdmsr_safe, (cpuid(1, 0).edx & FEATURE_MTRR) != 0, is_amd());
}

void caching_reset_attributes(void)
{
	if (cpuid(1, 0).edx & FEATURE_PAT)
		wrmsr(MSR_PAT, PAT_AFTER_RESET);
}

void caching_expect(const struct mtrr_state *boot, const struct memory_map *map)
{
	expected = boot;
	ram = map;
}

/* Emulators clear the MTRRs of a CPU that gets INIT; hardware leaves them [SDM 3A table 10-1]. */
static bool cached_by_host(const struct mtrr_state *state)
{
	return !state->enabled && (cpuid(1, 0).ecx & FEATURE_HYPERVISOR);
}

static bool uncached_ram(void)
{
	for (uint32_t i = 0; i < ram->count; i++)
		if (ram->ranges[i].type == MEMORY_UNCACHED)
			return true;
	return false;
}

void caching_compare(struct percpu *block)
{
	struct mtrr_state own;

	caching_read(&own);
	block->other_mtrrs = !mtrr_alike(expected, &own) &&
			     !(cached_by_host(&own) && !uncached_ram());
	block->uncached_at = block->other_mtrrs ? mtrr_first_uncached(&own, ram) : UINT64_MAX;
}

static void note_off(struct anomaly_log *log)
{
	if (!expected->enabled && !cached_by_host(expected) && cpuid(1, 0).edx & FEATURE_MTRR)
		anomaly_add(log, "MTRR", 0, "the boot CPU's are off: it caches no RAM", 0);
}

void caching_note(const struct topology *topology, struct anomaly_log *log)
{
	uint32_t others = 0;

	note_off(log);
	for (uint32_t cpu = 1; cpu < topology->cpu_count; cpu++) {
		const struct percpu *block = roster_find(cpu);

		if (!block || !block->other_mtrrs || others++ >= NOTES_MAX)
			continue;
		anomaly_add(log, "MTRR", cpu, "CPU whose MTRRs differ from the boot CPU's",
			    block->apic_id);
		if (block->uncached_at != UINT64_MAX)
			anomaly_add(log, "MTRR", cpu, "RAM that this CPU does not cache",
				    block->uncached_at);
	}
	if (others > NOTES_MAX)
		anomaly_add(log, "MTRR", 0, "so many CPUs have other MTRRs than the boot CPU",
			    others);
}
