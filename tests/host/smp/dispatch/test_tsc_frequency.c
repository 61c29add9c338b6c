/* SPDX-License-Identifier: GPL-2.0-only */
/* Who says how fast the TSC runs, and who of them is believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "smp/dispatch/tsc_frequency.h"

#define MHZ 1000000ull

/* ---- what is stated ---- */

struct leaf {
	uint32_t leaf;
	struct cpuid_result result;
};

static struct leaf leaves[16];
static uint32_t leaf_count;
static uint64_t hyper_v_hz; /* 0: reading it faults */

static struct cpuid_result ask(void *context, uint32_t leaf, uint32_t subleaf)
{
	(void)context;
	(void)subleaf;
	for (uint32_t i = 0; i < leaf_count; i++)
		if (leaves[i].leaf == leaf)
			return leaves[i].result;
	return (struct cpuid_result){ 0, 0, 0, 0 };
}

static bool read_register(uint32_t msr, uint64_t *value)
{
	assert_int_equal(msr, 0x40000022);
	*value = hyper_v_hz;
	return hyper_v_hz != 0;
}

static void say(uint32_t leaf, uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx)
{
	leaves[leaf_count++] = (struct leaf){ leaf, { eax, ebx, ecx, edx } };
}

static void say_interface(uint32_t base, uint32_t top, const char name[12])
{
	uint32_t words[3];

	memcpy(words, name, 12);
	say(base, top, words[0], words[1], words[2]);
}

static uint64_t stated(enum tsc_source source)
{
	return tsc_stated_hz(source, ask, NULL, read_register);
}

static int begin(void **state)
{
	(void)state;
	leaf_count = 0;
	hyper_v_hz = 0;
	say(1, 0, 0, 1u << 31, 0);
	return 0;
}

static void hypervisors_with_a_leaf(void **state)
{
	static const char names[][13] = { "KVMKVMKVM\0\0\0", "VMwareVMware", "TCGTCGTCGTCG",
					  "ACRNACRNACRN" };

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		begin(NULL);
		say_interface(0x40000000, 0x40000010, names[i]);
		say(0x40000010, 2600000, 0, 0, 0);
		assert_int_equal(stated(TSC_FROM_HYPERVISOR), 2600 * MHZ);
	}
	leaves[1].result.eax = 0x4000000f; /* the leaf is not there */
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), 0);
	leaves[1].result.eax = 0x40000010;
	leaves[0].result.ecx = 0; /* no hypervisor */
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), 0);
	begin(NULL);
	say_interface(0x40000000, 0x40000010, "somebodyelse"); /* to whom the leaf may be another */
	say(0x40000010, 2600000, 0, 0, 0);
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), 0);
}

static void hyper_v(void **state)
{
	(void)state;
	say_interface(0x40000000, 0x40000005, "Microsoft Hv");
	say(0x40000003, 1 << 11, 0, 0, 1 << 8);
	hyper_v_hz = 2593905700ull;
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), hyper_v_hz);
	hyper_v_hz = 0;
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), 0);
	hyper_v_hz = 2593905700ull;
	leaves[2].result.edx = 0; /* not there */
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), 0);
	leaves[2].result = (struct cpuid_result){ 0, 0, 0, 1 << 8 }; /* not permitted */
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), 0);
}

/* KVM that shows Hyper-V's interface first. */
static void kvm_behind_hyper_v(void **state)
{
	(void)state;
	say_interface(0x40000000, 0x40000005, "Microsoft Hv");
	say_interface(0x40000100, 0x40000110, "KVMKVMKVM\0\0\0");
	say(0x40000110, 3000000, 0, 0, 0);
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), 3000 * MHZ);
}

static void the_cpus_own_leaves(void **state)
{
	(void)state;
	say(0, 0x16, 0, 0, 0);
	say(0x15, 2, 216, 24000000, 0);
	say(0x16, 2600, 0, 0, 0);
	assert_int_equal(stated(TSC_FROM_CPUID_15), 2592 * MHZ);
	assert_int_equal(stated(TSC_FROM_CPUID_16), 2600 * MHZ);
	leaves[2].result.ecx = 0; /* the crystal is not told */
	assert_int_equal(stated(TSC_FROM_CPUID_15), 0);
	leaves[2].result = (struct cpuid_result){ 0, 216, 24000000, 0 };
	assert_int_equal(stated(TSC_FROM_CPUID_15), 0);
	leaves[2].result = (struct cpuid_result){ 1, UINT32_MAX, UINT32_MAX, 0 };
	assert_int_equal(stated(TSC_FROM_CPUID_15), 0);
	leaves[1].result.eax = 0x14;
	assert_int_equal(stated(TSC_FROM_CPUID_16), 0);
	assert_int_equal(stated(TSC_FROM_HYPERVISOR), 0);
	assert_int_equal(stated(TSC_FROM_HPET), 0);
}

/* ---- who is believed ---- */

struct world {
	uint64_t hz[TSC_SOURCES];
	uint32_t asked; /* timers */
};

static uint64_t measure(void *context, enum tsc_source source)
{
	struct world *world = context;

	assert_in_range(source, TSC_FROM_HPET, TSC_FROM_PIT);
	world->asked++;
	return world->hz[source];
}

static struct anomaly_log notes;
static uint32_t asked;

static struct tsc_frequency choose(struct world world)
{
	uint64_t told[TSC_SOURCES] = { 0 };
	struct tsc_frequency chosen;

	told[TSC_FROM_HYPERVISOR] = world.hz[TSC_FROM_HYPERVISOR];
	told[TSC_FROM_CPUID_15] = world.hz[TSC_FROM_CPUID_15];
	told[TSC_FROM_CPUID_16] = world.hz[TSC_FROM_CPUID_16];
	memset(&notes, 0, sizeof(notes));
	chosen = tsc_choose(told, measure, &world, &notes);
	asked = world.asked;
	return chosen;
}

#define ASSERT_CHOSEN(who, timers, anomalies, ...)                                              \
	do {                                                                                    \
		const struct world world = { .hz = { __VA_ARGS__ } };                           \
		struct tsc_frequency chosen = choose(world);                                    \
		assert_int_equal(chosen.source, who);                                           \
		assert_int_equal(chosen.hz, world.hz[who] ? world.hz[who] : 1000 * MHZ);        \
		assert_int_equal(asked, timers);                                                \
		assert_int_equal(notes.count, anomalies);                                       \
	} while (0)

static void who_agrees_is_believed(void **state)
{
	(void)state;
	ASSERT_CHOSEN(TSC_FROM_HYPERVISOR, 1, 0, [TSC_FROM_HYPERVISOR] = 2600 * MHZ,
		      [TSC_FROM_HPET] = 2601 * MHZ, [TSC_FROM_CPUID_15] = 2592 * MHZ);
	ASSERT_CHOSEN(TSC_FROM_CPUID_15, 1, 0, [TSC_FROM_HPET] = 2600 * MHZ,
		      [TSC_FROM_CPUID_15] = 2592 * MHZ, [TSC_FROM_CPUID_16] = 2600 * MHZ);
	ASSERT_CHOSEN(TSC_FROM_HPET, 1, 0, [TSC_FROM_HPET] = 2600 * MHZ);
	ASSERT_CHOSEN(TSC_FROM_PM_TIMER, 2, 0, [TSC_FROM_PM_TIMER] = 2600 * MHZ);
	ASSERT_CHOSEN(TSC_FROM_PIT, 3, 0, [TSC_FROM_PIT] = 2600 * MHZ);
	ASSERT_CHOSEN(TSC_FROM_CPUID_15, 3, 0, [TSC_FROM_CPUID_15] = 2600 * MHZ);
	ASSERT_CHOSEN(TSC_FROM_CPUID_16, 3, 0, [TSC_FROM_CPUID_16] = 2600 * MHZ);
	ASSERT_CHOSEN(TSC_ASSUMED, 3, 0, 0);
}

/* A guest's CPUID 15h that is the host's, 2.8 times too high. */
static void cpuid_15_of_another_machine(void **state)
{
	(void)state;
	ASSERT_CHOSEN(TSC_FROM_HYPERVISOR, 1, 2, [TSC_FROM_HYPERVISOR] = 1000 * MHZ,
		      [TSC_FROM_HPET] = 1000 * MHZ, [TSC_FROM_CPUID_15] = 2800 * MHZ);
	assert_string_equal(notes.entries[0].table, "clock");
	assert_string_equal(notes.entries[0].reason, "TSC's Hz by CPUID 15h, not believed");
	assert_int_equal(notes.entries[0].value, 2800 * MHZ);
	assert_string_equal(notes.entries[1].reason, "TSC's Hz by the hypervisor, believed");
	assert_int_equal(notes.entries[1].value, 1000 * MHZ);
	ASSERT_CHOSEN(TSC_FROM_HPET, 2, 2, [TSC_FROM_HPET] = 1000 * MHZ,
		      [TSC_FROM_PM_TIMER] = 1001 * MHZ, [TSC_FROM_CPUID_15] = 2800 * MHZ);
	/* a wrong crystal, 25 instead of 24 MHz; no second timer */
	ASSERT_CHOSEN(TSC_FROM_HPET, 3, 2, [TSC_FROM_HPET] = 2592 * MHZ,
		      [TSC_FROM_CPUID_15] = 2700 * MHZ);
}

static void a_timer_that_is_wrong(void **state)
{
	(void)state;
	ASSERT_CHOSEN(TSC_FROM_CPUID_15, 2, 2, [TSC_FROM_HPET] = 1000 * MHZ,
		      [TSC_FROM_PM_TIMER] = 2600 * MHZ, [TSC_FROM_CPUID_15] = 2592 * MHZ);
	assert_string_equal(notes.entries[0].reason, "TSC's Hz by the HPET, not believed");
	assert_int_equal(notes.entries[0].value, 1000 * MHZ);
	/* each for himself */
	ASSERT_CHOSEN(TSC_FROM_HPET, 3, 4, [TSC_FROM_HPET] = 1000 * MHZ,
		      [TSC_FROM_PIT] = 2000 * MHZ, [TSC_FROM_CPUID_15] = 4000 * MHZ);
	ASSERT_CHOSEN(TSC_FROM_HYPERVISOR, 1, 2, [TSC_FROM_HYPERVISOR] = 2600 * MHZ,
		      [TSC_FROM_HPET] = 1000 * MHZ);
	assert_string_equal(notes.entries[0].reason, "TSC's Hz by the HPET, not believed");
	/* no clock at all */
	ASSERT_CHOSEN(TSC_FROM_PM_TIMER, 2, 0, [TSC_FROM_HPET] = 1, [TSC_FROM_PM_TIMER] = 50 * MHZ);
}

static void sources_have_names(void **state)
{
	static const char *const names[TSC_SOURCES] = { "hypervisor", "hpet",     "pm-timer", "pit",
							"cpuid-15",   "cpuid-16", "assumed" };

	(void)state;
	for (uint32_t source = 0; source < TSC_SOURCES; source++)
		assert_string_equal(tsc_source_name(source), names[source]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(hypervisors_with_a_leaf, begin),
		cmocka_unit_test_setup(hyper_v, begin),
		cmocka_unit_test_setup(kvm_behind_hyper_v, begin),
		cmocka_unit_test_setup(the_cpus_own_leaves, begin),
		cmocka_unit_test(who_agrees_is_believed),
		cmocka_unit_test(cpuid_15_of_another_machine),
		cmocka_unit_test(a_timer_that_is_wrong),
		cmocka_unit_test(sources_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
