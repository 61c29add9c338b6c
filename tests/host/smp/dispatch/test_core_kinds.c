/* SPDX-License-Identifier: GPL-2.0-only */
/* Cores of different designs in one machine: what they say of themselves, and how they are told
 * apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "mm/machine/topology.h"
#include "mm/machine/topology_kinds.h"

struct answers {
	uint32_t top, signature, leaf7_edx, leaf1a_eax;
	uint32_t extended_top, amd_eax, amd_ebx;
};

static struct cpuid_result ask(void *context, uint32_t leaf, uint32_t subleaf)
{
	const struct answers *a = context;

	switch (leaf) {
	case 0:
		return (struct cpuid_result){ a->top, 0, 0, 0 };
	case 1:
		return (struct cpuid_result){ a->signature, 0, 0, 0 };
	case 7:
		assert_int_equal(subleaf, 0);
		return (struct cpuid_result){ 0, 0, 0, a->leaf7_edx };
	case 0x1a:
		return (struct cpuid_result){ a->leaf1a_eax, 0, 0, 0 };
	case 0x80000000:
		return (struct cpuid_result){ a->extended_top, 0, 0, 0 };
	case 0x80000026:
		return (struct cpuid_result){ a->amd_eax, a->amd_ebx, 0, 0 };
	default:
		fail_msg("leaf %x", leaf);
		return (struct cpuid_result){ 0, 0, 0, 0 };
	}
}

static struct core_design decode(struct answers answers)
{
	struct core_design design;

	memset(&design, 0xa5, sizeof(design));
	core_design_decode(ask, &answers, &design);
	return design;
}

/* Alder Lake: one signature, types 40h and 20h. */
static void hybrid_by_intel(void **state)
{
	struct answers core = { .top = 0x20, .signature = 0x90672, .leaf7_edx = 1u << 15,
				.leaf1a_eax = 0x40000001 };
	struct answers not_hybrid = core, too_old = core;

	(void)state;
	assert_int_equal(decode(core).family, 6);
	assert_int_equal(decode(core).model, 0x97);
	assert_int_equal(decode(core).type, 0x40000001);
	core.leaf1a_eax = 0x20000001;
	assert_int_equal(decode(core).type, 0x20000001);
	not_hybrid.leaf7_edx = ~(1u << 15);
	assert_int_equal(decode(not_hybrid).type, 0);
	too_old.top = 0x19; /* leaves above the highest answer like that one */
	assert_int_equal(decode(too_old).type, 0);
}

/* Core type and native model, no ranking. */
static void hybrid_by_amd(void **state)
{
	struct answers core = { .top = 0x10, .signature = 0xb20f40, .extended_top = 0x80000028,
				.amd_eax = 1u << 30, .amd_ebx = 0x12345678 };

	(void)state;
	assert_int_equal(decode(core).family, 0x1a);
	assert_int_equal(decode(core).model, 0x24);
	assert_int_equal(decode(core).type, 0x12);
	core.amd_eax = ~(1u << 30);
	assert_int_equal(decode(core).type, 0);
	core.amd_eax = 1u << 30;
	core.extended_top = 0x80000025;
	assert_int_equal(decode(core).type, 0);
}

static struct topology topology;

static void kinds_in_order_of_arrival(void **state)
{
	static const struct core_design p = { 6, 0x97, 0x40000001 }, e = { 6, 0x97, 0x20000001 },
					other = { 6, 0x9a, 0x40000001 }, amd = { 25, 0x97, 0 };

	(void)state;
	memset(&topology, 0, sizeof(topology));
	topology_add_kind(&topology, 0, &e);
	topology_add_kind(&topology, 1, &p);
	topology_add_kind(&topology, 2, &p);
	topology_add_kind(&topology, 3, &e);
	topology_add_kind(&topology, 5, &other);
	topology_add_kind(&topology, 6, &amd);
	assert_int_equal(topology.kind_count, 4);
	assert_int_equal(topology.kinds[0].design.type, e.type);
	assert_int_equal(topology.kinds[0].cpus, 2);
	assert_int_equal(topology.kinds[1].cpus, 2);
	assert_int_equal(topology.kinds[3].design.family, 25);
	assert_int_equal(topology.cpus[0].kind, 0);
	assert_int_equal(topology.cpus[2].kind, 1);
	assert_int_equal(topology.cpus[3].kind, 0);
	assert_int_equal(topology.cpus[5].kind, 2);
	assert_int_equal(topology.cpus[6].kind, 3);
}

static void more_kinds_than_fit(void **state)
{
	(void)state;
	memset(&topology, 0, sizeof(topology));
	for (uint32_t i = 0; i < 3 * CORE_KINDS_MAX; i++)
		topology_add_kind(&topology, i, &(struct core_design){ 6, i, 0 });
	assert_int_equal(topology.kind_count, CORE_KINDS_MAX);
	assert_int_equal(topology.kinds[0].cpus, 1);
	assert_int_equal(topology.kinds[CORE_KINDS_MAX - 1].cpus, 2 * CORE_KINDS_MAX + 1);
	assert_int_equal(topology.cpus[3 * CORE_KINDS_MAX - 1].kind, CORE_KINDS_MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hybrid_by_intel),
		cmocka_unit_test(hybrid_by_amd),
		cmocka_unit_test(kinds_in_order_of_arrival),
		cmocka_unit_test(more_kinds_than_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
