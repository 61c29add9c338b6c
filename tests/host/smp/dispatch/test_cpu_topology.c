/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/dispatch/cpu_topology.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/host/random.h"

/* What a CPU answers. Subleaves that are not listed are zero; leaves that are not listed do not
 * exist and must not be asked for. */
struct answer {
	uint32_t leaf, subleaf;
	struct cpuid_result regs;
};

struct machine {
	const struct answer *answers;
	uint32_t count;
};

#define MACHINE(answers) { answers, sizeof(answers) / sizeof((answers)[0]) }
#define INTEL(top) { 0, 0, { top, 0x756e6547, 0x6c65746e, 0x49656e69 } }
#define AMD(top) { 0, 0, { top, 0x68747541, 0x444d4163, 0x69746e65 } }
#define AMD_EXTENDED(top) { 0x80000000, 0, { top, 0x68747541, 0x444d4163, 0x69746e65 } }

static struct cpuid_result ask_machine(void *context, uint32_t leaf, uint32_t subleaf)
{
	const struct machine *machine = context;
	bool exists = false;

	for (uint32_t i = 0; i < machine->count; i++) {
		const struct answer *a = &machine->answers[i];

		if (a->leaf == leaf && a->subleaf == subleaf)
			return a->regs;
		exists = exists || a->leaf == leaf;
	}
	assert_true(exists);
	return (struct cpuid_result){ 0, 0, 0, 0 };
}

static void check(const struct answer *answers, uint32_t count, uint32_t apic_id, uint32_t package,
		  uint32_t core, uint32_t thread)
{
	struct machine machine = { answers, count };
	struct cpu_location location = { ~0u, ~0u, ~0u };

	cpu_topology_decode(ask_machine, &machine, apic_id, &location);
	assert_int_equal(location.package, package);
	assert_int_equal(location.core, core);
	assert_int_equal(location.thread, thread);
}

#define CHECK(answers, apic_id, package, core, thread) \
	check(answers, sizeof(answers) / sizeof((answers)[0]), apic_id, package, core, thread)

/* Alder Lake-S: performance cores of two threads, efficiency cores of one, with the same widths. */
static void intel_hybrid(void **state)
{
	static const struct answer performance[] = {
		INTEL(0x20),
		{ 0x1f, 0, { 1, 0x02, 0x100, 0x01 } },
		{ 0x1f, 1, { 7, 0x14, 0x201, 0x01 } },
		{ 0x1f, 2, { 0, 0x00, 0x002, 0x01 } },
	};
	static const struct answer efficiency[] = {
		INTEL(0x20),
		{ 0x1f, 0, { 1, 0x01, 0x100, 0x4c } },
		{ 0x1f, 1, { 7, 0x14, 0x201, 0x4c } },
		{ 0x1f, 2, { 0, 0x00, 0x002, 0x4c } },
	};

	(void)state;
	CHECK(performance, 0x01, 0, 0, 1);
	CHECK(performance, 0x08, 0, 4, 0);
	CHECK(efficiency, 0x4c, 0, 0x26, 0);
}

/* Emerald Rapids, two packages, two threads a core. */
static void intel_threads(void **state)
{
	static const struct answer server[] = {
		INTEL(0x20),
		{ 0x1f, 0, { 1, 0x02, 0x100, 0x04 } },
		{ 0x1f, 1, { 7, 0x80, 0x201, 0x04 } },
		{ 0x1f, 2, { 0, 0x00, 0x002, 0x04 } },
	};

	(void)state;
	CHECK(server, 0x04, 0, 2, 0);
	CHECK(server, 0x7f, 0, 0x3f, 1);
	CHECK(server, 0x85, 1, 0x42, 1);
}

/* Leaf 0Bh knows threads and cores only; leaf 1Fh adds dies, here two of them in each package. */
static void dies_from_leaf_1f(void **state)
{
	static const struct answer dies[] = {
		INTEL(0x1f),
		{ 0x0b, 0, { 1, 2, 0x100, 0 } },
		{ 0x0b, 1, { 6, 48, 0x201, 0 } },
		{ 0x1f, 0, { 1, 2, 0x100, 0 } },
		{ 0x1f, 1, { 6, 48, 0x201, 0 } },
		{ 0x1f, 2, { 7, 96, 0x502, 0 } },
	};

	(void)state;
	CHECK(dies, 0x41, 0, 0x20, 1);
	CHECK(dies, 0xc2, 1, 0x61, 0);
}

/* Skylake server: no leaf 1Fh. And a leaf 1Fh that is there but empty, or names no CPU. */
static void leaf_0b(void **state)
{
	static const struct answer skylake[] = {
		INTEL(0x16),
		{ 0x0b, 0, { 1, 0x02, 0x100, 0 } },
		{ 0x0b, 1, { 5, 0x14, 0x201, 0 } },
		{ 0x0b, 2, { 0, 0x00, 0x002, 0 } },
	};
	static const struct answer empty_1f[] = {
		INTEL(0x1f),
		{ 0x1f, 0, { 0, 0, 0, 0 } },
		{ 0x0b, 0, { 1, 0x02, 0x100, 0 } },
		{ 0x0b, 1, { 5, 0x14, 0x201, 0 } },
	};
	static const struct answer nobody_in_1f[] = {
		INTEL(0x1f),
		{ 0x1f, 0, { 9, 0, 0x100, 0 } },
		{ 0x0b, 0, { 1, 0x02, 0x100, 0 } },
		{ 0x0b, 1, { 5, 0x14, 0x201, 0 } },
	};

	(void)state;
	CHECK(skylake, 0x09, 0, 4, 1);
	CHECK(skylake, 0x2a, 1, 0x15, 0);
	CHECK(empty_1f, 0x2b, 1, 0x15, 1);
	CHECK(nobody_in_1f, 0x2b, 1, 0x15, 1);
}

/* EPYC as a guest sees it, one thread a core; and QEMU's qemu64 with 2 packages, 2 cores, 2
 * threads. */
static void amd_leaf_0b(void **state)
{
	static const struct answer guest[] = {
		AMD(0x1c),
		{ 0x0b, 0, { 0, 1, 0x100, 0 } },
		{ 0x0b, 1, { 5, 2, 0x201, 0 } },
		{ 0x0b, 2, { 0, 0, 0x002, 0 } },
	};
	static const struct answer qemu64[] = {
		AMD(0x0d),
		{ 0x0b, 0, { 1, 2, 0x100, 0 } },
		{ 0x0b, 1, { 2, 4, 0x201, 0 } },
		{ 0x0b, 2, { 0, 0, 0x002, 0 } },
	};

	(void)state;
	CHECK(guest, 0x01, 0, 1, 0);
	CHECK(guest, 0x21, 1, 0x21, 0);
	CHECK(qemu64, 3, 0, 1, 1);
	CHECK(qemu64, 6, 1, 3, 0);
}

/* No leaf 0Bh. First generation EPYC: two threads a core by 8000_001Eh; qemu64 with that leaf off,
 * and Phenom II: one thread a core; a first Opteron of two cores: no width, but a count. */
static void amd_extended_leaves(void **state)
{
	static const struct answer epyc[] = {
		AMD(0x0d),
		{ 0x0b, 0, { 0, 0, 0, 0 } },
		AMD_EXTENDED(0x8000001f),
		{ 0x80000001, 0, { 0x00800f12, 0x40000000, 0x35c233ff, 0x2fd3fbff } },
		{ 0x80000008, 0, { 0x00003030, 0x00001007, 0x0000603f, 0 } },
		{ 0x8000001e, 0, { 0x00000002, 0x00000101, 0x00000300, 0 } },
	};
	static const struct answer qemu64[] = {
		AMD(0x0d),
		{ 0x0b, 0, { 0, 0, 0, 0 } },
		AMD_EXTENDED(0x8000000a),
		{ 0x80000008, 0, { 0x00003028, 0, 0x00002003, 0 } },
	};
	static const struct answer phenom[] = {
		AMD(0x05),
		AMD_EXTENDED(0x8000001b),
		{ 0x80000008, 0, { 0x00003030, 0, 0x00002003, 0 } },
	};
	static const struct answer no_topoext[] = {
		AMD(0x05),
		AMD_EXTENDED(0x8000001e),
		{ 0x80000001, 0, { 0, 0, 0, 0 } },
		{ 0x80000008, 0, { 0x00003030, 0, 0x00002003, 0 } },
	};
	static const struct answer opteron[] = {
		AMD(0x01),
		AMD_EXTENDED(0x80000018),
		{ 0x80000008, 0, { 0x00003028, 0, 0x00000001, 0 } },
	};

	(void)state;
	CHECK(epyc, 0x02, 0, 1, 0);
	CHECK(epyc, 0x7f, 1, 0x3f, 1);
	CHECK(qemu64, 5, 1, 5, 0);
	CHECK(phenom, 3, 0, 3, 0);
	CHECK(no_topoext, 0x21, 8, 0x21, 0);
	CHECK(opteron, 1, 0, 1, 0);
	CHECK(opteron, 2, 1, 2, 0);
}

/* QEMU's core2duo with 3 cores a package (ids 0, 1, 2, 4, 5, 6); a core of two threads, which leaf
 * 4 calls one core; Pentium 4 with two threads and no leaf 4. */
static void intel_legacy(void **state)
{
	static const struct answer core2[] = {
		INTEL(0x0a),
		{ 1, 0, { 0x000006fb, 0x00030800, 0x80002209, 0x1fcbfbfd } },
		{ 4, 0, { 0x08000121, 0x01c0003f, 0x0000003f, 1 } },
	};
	static const struct answer prescott[] = {
		INTEL(0x05),
		{ 1, 0, { 0x00000f41, 0x00020800, 0x0000641d, 0xbfebfbff } },
		{ 4, 0, { 0x00004121, 0x01c0003f, 0x0000001f, 0 } },
	};
	static const struct answer northwood[] = {
		INTEL(0x02),
		{ 1, 0, { 0x00000f29, 0x00020809, 0x00004400, 0xbfebfbff } },
	};

	(void)state;
	CHECK(core2, 2, 0, 2, 0);
	CHECK(core2, 6, 1, 6, 0);
	CHECK(prescott, 1, 0, 0, 1);
	CHECK(prescott, 2, 1, 1, 0);
	CHECK(northwood, 7, 3, 3, 1);
}

/* A Sempron; an Intel CPU that says in EDX bit 28 that EBX[23:16] means nothing; QEMU with one CPU.
 * */
static void one_thread(void **state)
{
	static const struct answer sempron[] = {
		AMD(0x01),
		AMD_EXTENDED(0x80000018),
		{ 0x80000008, 0, { 0x00003028, 0, 0, 0 } },
	};
	static const struct answer no_htt[] = {
		INTEL(0x0a),
		{ 1, 0, { 0x000006f2, 0x00ff0800, 0, 0xafebfbff } },
	};
	static const struct answer qemu[] = {
		AMD(0x0d),
		{ 0x0b, 0, { 0, 1, 0x100, 0 } },
		{ 0x0b, 1, { 0, 1, 0x201, 0 } },
	};

	(void)state;
	CHECK(sempron, 0, 0, 0, 0);
	CHECK(sempron, 1, 1, 1, 0);
	CHECK(no_htt, 5, 5, 5, 0);
	CHECK(qemu, 0, 0, 0, 0);
	CHECK(qemu, 0xffffffff, 0xffffffff, 0xffffffff, 0);
}

static struct cpuid_result ask_noise(void *context, uint32_t leaf, uint32_t subleaf)
{
	uint64_t seed = *(const uint64_t *)context ^ ((uint64_t)leaf << 32 | (subleaf + 1));
	uint64_t low = random_next(&seed), high = random_next(&seed);
	struct cpuid_result r = { (uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
				  (uint32_t)(high >> 32) };

	/* Often enough a vendor and leaves that exist, so that every way is taken. */
	if (leaf == 0)
		return (struct cpuid_result){ r.eax % 0x28, 0x68747541, 0x444d4163,
					      r.edx & 1 ? 0x69746e65 : 0 };
	if (leaf == 0x80000000)
		r.eax = 0x80000000 + r.eax % 0x30;
	if (leaf == 0x0b || leaf == 0x1f)
		r.ecx = (r.ecx & 3) << 8 | subleaf;
	return r;
}

/* Whatever CPUID says: no two CPUs share core and thread, and no core lies in two packages. */
static void noise(void **state)
{
	uint64_t random = 1;

	(void)state;
	for (uint32_t round = 0; round < 20000; round++) {
		uint64_t seed = random_next(&random);
		uint32_t a = (uint32_t)random_next(&random);
		uint32_t b = a ^ 1u << random_next(&random) % 32;
		struct cpu_location at_a, at_b;

		cpu_topology_decode(ask_noise, &seed, a, &at_a);
		cpu_topology_decode(ask_noise, &seed, b, &at_b);
		assert_true(at_a.core != at_b.core || at_a.thread != at_b.thread);
		assert_true(at_a.core != at_b.core || at_a.package == at_b.package);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intel_hybrid),      cmocka_unit_test(intel_threads),
		cmocka_unit_test(dies_from_leaf_1f), cmocka_unit_test(leaf_0b),
		cmocka_unit_test(amd_leaf_0b),       cmocka_unit_test(amd_extended_leaves),
		cmocka_unit_test(intel_legacy),      cmocka_unit_test(one_thread),
		cmocka_unit_test(noise),
	};

	return cmocka_run_group_tests_name("cpu_topology", tests, NULL, NULL);
}
