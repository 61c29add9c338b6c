/* SPDX-License-Identifier: GPL-2.0-only */
/* What CPUs say of themselves, and what they might. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "smp/dispatch/cpu_model.h"
#include "tests/host/random.h"

struct cpu {
	const char *name; /* up to 48 bytes; NULL: no such leaves */
	const char *signature; /* of a hypervisor, 12 bytes; NULL: none */
	uint32_t leaf_1_eax;
	uint32_t cache_leaf; /* 0: none */
	struct cpuid_result caches[5];
};

static struct cpuid_result text_at(const char *text, size_t offset, size_t size)
{
	char all[64] = { 0 };
	struct cpuid_result r;

	memcpy(all, text, strnlen(text, size));
	memcpy(&r, all + offset, sizeof(r));
	return r;
}

static struct cpuid_result ask_cpu(void *context, uint32_t leaf, uint32_t subleaf)
{
	const struct cpu *cpu = context;
	struct cpuid_result r = { 0, 0, 0, 0 };

	if (leaf == 0)
		r.eax = cpu->cache_leaf == 4 ? 0x16 : 1;
	if (leaf == 1)
		r = (struct cpuid_result){ cpu->leaf_1_eax, 0, cpu->signature ? 1u << 31 : 0, 0 };
	if (leaf == 0x40000000) {
		assert_non_null(cpu->signature);
		r = text_at(cpu->signature, 0, 12);
		r = (struct cpuid_result){ 0x40000001, r.eax, r.ebx, r.ecx };
	}
	if (leaf == 0x80000000)
		r.eax = cpu->name ? 0x80000020 : 0x16; /* as of the highest basic leaf */
	if (leaf == 0x80000001)
		r.ecx = cpu->cache_leaf == 0x8000001d ? 1u << 22 : 0;
	if (leaf >= 0x80000002 && leaf <= 0x80000004) {
		assert_non_null(cpu->name);
		r = text_at(cpu->name, (leaf - 0x80000002) * 16, 48);
	}
	if (leaf == 4 || leaf == 0x8000001d) {
		assert_int_equal(leaf, cpu->cache_leaf);
		if (subleaf < 5)
			r = cpu->caches[subleaf];
	}
	return r;
}

static struct cpuid_result ask_bits(void *context, uint32_t leaf, uint32_t subleaf)
{
	const uint32_t *answers = context; /* highest extended leaf, EAX of 8000_0008h */

	(void)subleaf;
	return (struct cpuid_result){ leaf == 0x80000000 ? answers[0] : answers[1], 0, 0, 0 };
}

static void address_bits(void **state)
{
	static const struct {
		uint32_t answers[2], bits;
	} cases[] = {
		{ { 0x80000008, 0x3030 }, 48 }, { { 0x80000020, 0x3920 }, 32 },
		{ { 0x80000007, 0x3030 }, 36 }, { { 0x16, 0x3030 }, 36 },
		{ { 0x80000008, 0 }, 36 },      { { 0x80000008, 0xff }, 52 },
		{ { 0x80000008, 1 }, 32 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t answers[2] = { cases[i].answers[0], cases[i].answers[1] };

		assert_int_equal(cpu_address_bits(ask_bits, answers), cases[i].bits);
	}
}

static struct cpu_model decode(struct cpu cpu)
{
	struct cpu_model model;

	memset(&model, 0xa5, sizeof(model));
	cpu_model_decode(ask_cpu, &cpu, &model);
	return model;
}

/* type, level; ways, line, sets; each one less than it is in the registers */
#define CACHE(type, level, ways, line, sets)                                             \
	{ (type) | (level) << 5, ((ways) - 1u) << 22 | ((line) - 1u), (sets) - 1u, 0 }

static void intel(void **state)
{
	struct cpu_model model = decode((struct cpu){
		.name = "       Intel(R) Xeon(R) Platinum 8160 @ 2.10GHz",
		.leaf_1_eax = 0x50654,
		.cache_leaf = 4,
		.caches = { CACHE(1, 1, 8, 64, 64), CACHE(2, 1, 8, 64, 64),
			    CACHE(3, 2, 16, 64, 1024), CACHE(3, 3, 11, 64, 49152) },
	});

	(void)state;
	assert_string_equal(model.name, "Intel(R) Xeon(R) Platinum 8160 @ 2.10GHz");
	assert_string_equal(model.hypervisor, "");
	assert_int_equal(model.family, 6);
	assert_int_equal(model.model, 0x55);
	assert_int_equal(model.stepping, 4);
	assert_int_equal(model.l2_bytes, 1 << 20);
	assert_int_equal(model.l3_bytes, 33 << 20);
}

static void amd_below_kvm(void **state)
{
	struct cpu_model model = decode((struct cpu){
		.name = "AMD EPYC 7742 64-Core Processor                ",
		.signature = "KVMKVMKVM",
		.leaf_1_eax = 0x830f10,
		.cache_leaf = 0x8000001d,
		.caches = { CACHE(1, 1, 8, 64, 64), CACHE(2, 1, 8, 64, 64),
			    CACHE(3, 2, 8, 64, 1024), CACHE(3, 3, 16, 64, 16384) },
	});

	(void)state;
	assert_string_equal(model.name, "AMD EPYC 7742 64-Core Processor");
	assert_string_equal(model.hypervisor, "KVMKVMKVM");
	assert_int_equal(model.family, 0x17);
	assert_int_equal(model.model, 0x31);
	assert_int_equal(model.stepping, 0);
	assert_int_equal(model.l2_bytes, 512 << 10);
	assert_int_equal(model.l3_bytes, 16 << 20);
}

/* No end of its own, no name of a hypervisor that is there, the extended family of a family that
 * has none. */
static void odd(void **state)
{
	struct cpu_model model = decode((struct cpu){
		.name = "a CPU\x01\xff\"that fills all of its forty-eight bytes w" "ith letters",
		.signature = "",
		.leaf_1_eax = 0x0ff005f3,
	});

	(void)state;
	assert_string_equal(model.name, "a CPU??\"that fills all of its forty-eight bytes");
	assert_string_equal(model.hypervisor, "unnamed");
	assert_int_equal(model.family, 5);
	assert_int_equal(model.model, 15);
	assert_int_equal(model.stepping, 3);
	assert_int_equal(model.l2_bytes, 0);
}

static void old(void **state)
{
	struct cpu_model model = decode((struct cpu){ .leaf_1_eax = 0x633 });

	(void)state;
	assert_string_equal(model.name, "");
	assert_int_equal(model.model, 3);
	assert_int_equal(model.l3_bytes, 0);
}

static struct cpuid_result ask_noise(void *context, uint32_t leaf, uint32_t subleaf)
{
	uint64_t seed = *(const uint64_t *)context ^ ((uint64_t)leaf << 32 | (subleaf + 1));
	uint64_t low = random_next(&seed), high = random_next(&seed);

	return (struct cpuid_result){ leaf == 0x80000000 ? leaf | (low & 0x3f) : (uint32_t)low,
				      (uint32_t)(low >> 32), (uint32_t)high,
				      (uint32_t)(high >> 32) };
}

static void is_text(const char *text, size_t max)
{
	assert_true(strlen(text) <= max);
	for (; *text; text++)
		assert_in_range(*text, ' ', '~');
}

static void noise(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20000; seed++) {
		struct cpu_model model;

		memset(&model, 0xa5, sizeof(model));
		cpu_model_decode(ask_noise, &seed, &model);
		is_text(model.name, CPU_NAME_CHARS);
		is_text(model.hypervisor, HYPERVISOR_CHARS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(address_bits),
		cmocka_unit_test(intel), cmocka_unit_test(amd_below_kvm), cmocka_unit_test(odd),
		cmocka_unit_test(old),	 cmocka_unit_test(noise),
	};

	return cmocka_run_group_tests_name("cpu_model", tests, NULL, NULL);
}
