/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/dispatch/cpu_topology.h"

#include <stdbool.h>

/*
 * An APIC id is a number of bit fields; all that has to be found is where two of them begin.
 *
 *    31            package_shift          core_shift          0
 *    |    package       |  die, tile, core ...  |    thread   |
 *                       `---------- core -------'
 */
struct id_shifts {
	uint32_t core_shift;    /* width of the thread field */
	uint32_t package_shift; /* width of everything within a package */
};

enum {
	LEVEL_INVALID = 0,
	LEVEL_THREAD = 1,
	LEVELS_MAX = 8, /* six level types are defined [SDM 2A CPUID 1Fh] */

	LEAF_EXTENDED_TOPOLOGY = 0x0b,
	LEAF_EXTENDED_TOPOLOGY_V2 = 0x1f,
	APIC_ID_BITS = 32,
};

/* Bits needed to tell `count` things apart. */
static uint32_t bits_for(uint32_t count)
{
	uint32_t bits = 0;

	while (bits < APIC_ID_BITS && (1ull << bits) < count)
		bits++;
	return bits;
}

/* Subleaf by subleaf, each level says how far to shift the id to reach the next level's unit:
 * EAX[4:0] shift, EBX number of CPUs (0: no such level), ECX[15:8] type [SDM 2A CPUID 0Bh, 1Fh]. */
static bool shifts_from_levels(cpuid_function *ask, void *context, uint32_t leaf,
			       struct id_shifts *shifts)
{
	for (uint32_t level = 0; level < LEVELS_MAX; level++) {
		struct cpuid_result r = ask(context, leaf, level);
		uint32_t type = r.ecx >> 8 & 0xff;
		uint32_t shift = r.eax & 0x1f;

		if (type == LEVEL_INVALID || (r.ebx & 0xffff) == 0)
			return level > 0;
		if (type == LEVEL_THREAD)
			shifts->core_shift = shift;
		if (shift > shifts->package_shift)
			shifts->package_shift = shift;
	}
	return true;
}

/* 8000_0008h ECX[15:12] is the width of the id within a package, or 0: then ECX[7:0] + 1 CPUs count
 * [APM 3 E.4]. 8000_001Eh EBX[15:8] + 1 threads share a core, where TOPOEXT (8000_0001h ECX bit 22)
 * says that the leaf is there [APM 3 E.4]. */
static bool shifts_from_amd(cpuid_function *ask, void *context, struct id_shifts *shifts)
{
	uint32_t top = ask(context, 0x80000000, 0).eax;
	uint32_t size, width;

	if (top < 0x80000008)
		return false;
	size = ask(context, 0x80000008, 0).ecx;
	width = size >> 12 & 0xf;
	if (width == 0)
		width = bits_for((size & 0xff) + 1);
	shifts->package_shift = width;
	if (top >= 0x8000001e && ask(context, 0x80000001, 0).ecx & 1u << 22)
		shifts->core_shift = bits_for((ask(context, 0x8000001e, 0).ebx >> 8 & 0xff) + 1);
	return true;
}

/* Leaf 1: EDX bit 28 says that EBX[23:16], the ids set aside per package, counts. Leaf 4,
 * subleaf 0: EAX[31:26] + 1 of them are cores [SDM 3A 9.9.3]. */
static void shifts_from_legacy(cpuid_function *ask, void *context, uint32_t top,
			       struct id_shifts *shifts)
{
	struct cpuid_result features = ask(context, 1, 0);
	uint32_t cores = 1, core_bits;

	if (!(features.edx & 1u << 28))
		return;
	if (top >= 4)
		cores = (ask(context, 4, 0).eax >> 26) + 1;
	core_bits = bits_for(cores);
	shifts->package_shift = bits_for(features.ebx >> 16 & 0xff);
	if (core_bits < shifts->package_shift)
		shifts->core_shift = shifts->package_shift - core_bits;
}

/* Leaf 0: "AuthenticAMD", and "HygonGenuine", which is the same design. */
static bool is_amd(struct cpuid_result vendor)
{
	return (vendor.ebx == 0x68747541 && vendor.edx == 0x69746e65 && vendor.ecx == 0x444d4163) ||
	       (vendor.ebx == 0x6f677948 && vendor.edx == 0x6e65476e && vendor.ecx == 0x656e6975);
}

static struct id_shifts find_shifts(cpuid_function *ask, void *context)
{
	static const uint32_t leaves[] = { LEAF_EXTENDED_TOPOLOGY_V2, LEAF_EXTENDED_TOPOLOGY };
	struct cpuid_result vendor = ask(context, 0, 0);
	struct id_shifts shifts = { 0, 0 };

	for (uint32_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
		if (vendor.eax >= leaves[i] && shifts_from_levels(ask, context, leaves[i], &shifts))
			return shifts;
	if (!is_amd(vendor) || !shifts_from_amd(ask, context, &shifts))
		shifts_from_legacy(ask, context, vendor.eax, &shifts);
	return shifts;
}

void cpu_topology_decode(cpuid_function *ask, void *context, uint32_t apic_id,
			 struct cpu_location *location)
{
	struct id_shifts shifts = find_shifts(ask, context);

	/* Threads of one core never lie in two packages. */
	if (shifts.package_shift < shifts.core_shift)
		shifts.package_shift = shifts.core_shift;
	location->package = (uint32_t)((uint64_t)apic_id >> shifts.package_shift);
	location->core = (uint32_t)((uint64_t)apic_id >> shifts.core_shift);
	location->thread = (uint32_t)(apic_id & ((1ull << shifts.core_shift) - 1));
}
