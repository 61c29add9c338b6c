/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/dispatch/cpu_model.h"

#include <stdbool.h>
#include <stddef.h>

#include "lib/minmax.h"
#include "lib/string.h"

enum {
	LEAF_CACHES = 4,
	LEAF_FEATURES = 7,
	LEAF_HYBRID = 0x1a,
	CACHES_MAX = 16, /* subleaves asked; CPUs have four to six */
	CACHE_NONE = 0,
	CACHE_INSTRUCTION = 2,
	ADDRESS_BITS_MIN = 32,
	ADDRESS_BITS_MAX = 52,
};

static const uint32_t leaf_hypervisor = 0x40000000, leaf_extended = 0x80000000,
		      leaf_name = 0x80000002, leaf_name_end = 0x80000005,
		      leaf_address_bits = 0x80000008, leaf_amd_caches = 0x8000001d,
		      leaf_amd_cores = 0x80000026;

/* Highest leaf of the extended range; a CPU without that range answers with something else. */
static uint32_t extended_top(cpuid_function *ask, void *context)
{
	uint32_t top = ask(context, leaf_extended, 0).eax;

	return top >= leaf_extended && top < leaf_extended + 0x10000 ? top : 0;
}

/* `size` bytes at `from`, which end before a NUL, as text: `to` has room for one more. */
static void copy_trimmed(char *to, const char *from, size_t size)
{
	size_t start = 0, end = string_length(from, size);

	while (start < end && from[start] == ' ')
		start++;
	while (end > start && from[end - 1] == ' ')
		end--;
	for (size_t i = start; i < end; i++)
		*to++ = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
	*to = '\0';
}

/* 16 bytes per leaf [SDM 2A CPUID 80000002h to 80000004h]. Old CPUs set the text to the right. */
static void read_name(cpuid_function *ask, void *context, struct cpu_model *model)
{
	char text[CPU_NAME_CHARS];
	char *to = text;

	if (extended_top(ask, context) < leaf_name_end - 1)
		return;
	for (uint32_t leaf = leaf_name; leaf < leaf_name_end; leaf++) {
		struct cpuid_result r = ask(context, leaf, 0);

		memcpy(to, &r, sizeof(r));
		to += sizeof(r);
	}
	copy_trimmed(model->name, text, sizeof(text));
}

/* The extended family counts for family 15 only, the extended model for families 6 and 15
 * [SDM 2A CPUID 01h]. */
static void read_signature(cpuid_function *ask, void *context, struct core_design *design)
{
	uint32_t eax = ask(context, 1, 0).eax;
	uint32_t family = eax >> 8 & 0xf;

	design->family = family == 15 ? family + (eax >> 20 & 0xff) : family;
	design->model = eax >> 4 & 0xf;
	if (family == 6 || family == 15)
		design->model |= eax >> 12 & 0xf0;
}

static uint32_t read_core_type(cpuid_function *ask, void *context)
{
	uint32_t top = ask(context, 0, 0).eax;

	if (top >= LEAF_HYBRID && ask(context, LEAF_FEATURES, 0).edx & 1u << 15)
		return ask(context, LEAF_HYBRID, 0).eax;
	if (extended_top(ask, context) >= leaf_amd_cores &&
	    ask(context, leaf_amd_cores, 0).eax & 1u << 30)
		return ask(context, leaf_amd_cores, 0).ebx >> 24;
	return 0;
}

void core_design_decode(cpuid_function *ask, void *context, struct core_design *design)
{
	*design = (struct core_design){ .type = read_core_type(ask, context) };
	read_signature(ask, context, design);
}

/* Where the hypervisor bit is set: EBX, ECX, EDX [TLFS 2.3]. */
static void read_hypervisor(cpuid_function *ask, void *context, struct cpu_model *model)
{
	struct cpuid_result r;
	char text[HYPERVISOR_CHARS];

	if (!(ask(context, 1, 0).ecx & 1u << 31))
		return;
	r = ask(context, leaf_hypervisor, 0);
	memcpy(text, &r.ebx, 4);
	memcpy(text + 4, &r.ecx, 4);
	memcpy(text + 8, &r.edx, 4);
	copy_trimmed(model->hypervisor, text, sizeof(text));
	if (!model->hypervisor[0])
		string_copy(model->hypervisor, "unnamed", sizeof(model->hypervisor));
}

/* EAX[4:0] type, EAX[7:5] level; the size is the product of ways EBX[31:22], partitions EBX[21:12],
 * line size EBX[11:0] and sets ECX, each one less than it is [SDM 2A CPUID 04h, APM 3 E.4.15]. */
static void read_caches_of(cpuid_function *ask, void *context, uint32_t leaf,
			   struct cpu_model *model)
{
	for (uint32_t cache = 0; cache < CACHES_MAX; cache++) {
		struct cpuid_result r = ask(context, leaf, cache);
		uint32_t type = r.eax & 0x1f, level = r.eax >> 5 & 7;
		uint64_t bytes = ((uint64_t)(r.ebx >> 22) + 1) * ((r.ebx >> 12 & 0x3ff) + 1) *
				 ((r.ebx & 0xfff) + 1) * ((uint64_t)r.ecx + 1);

		if (type == CACHE_NONE)
			return;
		if (type != CACHE_INSTRUCTION && level == 2)
			model->l2_bytes = bytes;
		if (type != CACHE_INSTRUCTION && level == 3)
			model->l3_bytes = bytes;
	}
}

/* AMD's leaf is there where TOPOEXT is [APM 3 E.4.15]. */
static void read_caches(cpuid_function *ask, void *context, struct cpu_model *model)
{
	if (extended_top(ask, context) >= leaf_amd_caches &&
	    ask(context, leaf_extended + 1, 0).ecx & 1u << 22)
		read_caches_of(ask, context, leaf_amd_caches, model);
	else if (ask(context, 0, 0).eax >= LEAF_CACHES)
		read_caches_of(ask, context, LEAF_CACHES, model);
}

void cpu_model_decode(cpuid_function *ask, void *context, struct cpu_model *model)
{
	struct core_design design;

	core_design_decode(ask, context, &design);
	*model = (struct cpu_model){ .family = design.family, .model = design.model,
				     .stepping = ask(context, 1, 0).eax & 0xf };
	read_name(ask, context, model);
	read_hypervisor(ask, context, model);
	read_caches(ask, context, model);
}

uint32_t cpu_address_bits(cpuid_function *ask, void *context)
{
	uint32_t bits = 0;

	if (extended_top(ask, context) >= leaf_address_bits)
		bits = ask(context, leaf_address_bits, 0).eax & 0xff;
	return bits ? min_u32(max_u32(bits, ADDRESS_BITS_MIN), ADDRESS_BITS_MAX) : 36;
}
