/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/dispatch/tsc_frequency.h"

#include "lib/minmax.h"
#include "lib/stats.h"
#include "lib/string.h"

enum {
	PLAUSIBLE_MIN_MHZ = 50,
	PLAUSIBLE_MAX_MHZ = 20000,
	AGREE_PART = 32, /* the share that two may differ by: wrong crystals make 4 % and more */
	ASSUMED_HZ = 1000000000,

	LEAF_TSC = 0x15,
	LEAF_FREQUENCY = 0x16,
	HYPER_V_FEATURES = 3,   /* from the first leaf of the hypervisor [TLFS 2.4.4] */
	FEATURE_REGISTERS = 1 << 11, /* EAX: the partition may read them */
	FEATURE_AVAILABLE = 1 << 8,  /* EDX: and they are there */
	LEAF_TIMING = 0x10,
};

static const uint32_t leaf_hypervisor = 0x40000000, hypervisor_leaves = 0x100;
static const uint32_t msr_hyper_v_tsc = 0x40000022; /* Hz [TLFS 12.3] */

struct source_row {
	const char *name, *believed, *doubted;
};

static const struct source_row rows[TSC_SOURCES] = {
	[TSC_FROM_HYPERVISOR] = { "hypervisor", "TSC's Hz by the hypervisor, believed",
				  "TSC's Hz by the hypervisor, not believed" },
	[TSC_FROM_HPET] = { "hpet", "TSC's Hz by the HPET, believed",
			    "TSC's Hz by the HPET, not believed" },
	[TSC_FROM_PM_TIMER] = { "pm-timer", "TSC's Hz by the PM timer, believed",
				"TSC's Hz by the PM timer, not believed" },
	[TSC_FROM_PIT] = { "pit", "TSC's Hz by the PIT, believed",
			   "TSC's Hz by the PIT, not believed" },
	[TSC_FROM_CPUID_15] = { "cpuid-15", "TSC's Hz by CPUID 15h, believed",
				"TSC's Hz by CPUID 15h, not believed" },
	[TSC_FROM_CPUID_16] = { "cpuid-16", "TSC's Hz by CPUID 16h, believed",
				"TSC's Hz by CPUID 16h, not believed" },
	[TSC_ASSUMED] = { "assumed", "", "" },
};

const char *tsc_source_name(enum tsc_source source)
{
	return rows[source].name;
}

bool tsc_plausible(uint64_t hz)
{
	return hz / 1000000 >= PLAUSIBLE_MIN_MHZ && hz / 1000000 <= PLAUSIBLE_MAX_MHZ;
}

/* TSC = crystal x EBX / EAX; ECX, the crystal, is 0 on some models, where only a table of models
 * would help [SDM 2A CPUID 15h]. */
static uint64_t from_cpuid_15(cpuid_function *ask, void *context)
{
	struct cpuid_result r;

	if (ask(context, 0, 0).eax < LEAF_TSC)
		return 0;
	r = ask(context, LEAF_TSC, 0);
	return r.eax ? mul_div_u64(r.ecx, r.ebx, r.eax) : 0;
}

static uint64_t from_cpuid_16(cpuid_function *ask, void *context)
{
	if (ask(context, 0, 0).eax < LEAF_FREQUENCY)
		return 0;
	return (uint64_t)(ask(context, LEAF_FREQUENCY, 0).eax & 0xffff) * 1000000;
}

/* The leaves of one interface: a hypervisor may offer another one's first, and its own after it. */
static uint64_t from_interface(cpuid_function *ask, void *context, uint32_t base,
			       tsc_register_reader *read)
{
	static const char timing[][13] = { "VMwareVMware", "KVMKVMKVM\0\0\0", "TCGTCGTCGTCG",
					   "ACRNACRNACRN" };
	struct cpuid_result r = ask(context, base, 0);
	uint32_t name[3] = { r.ebx, r.ecx, r.edx };
	uint32_t top = r.eax;
	uint64_t hz;

	if (top < base || top >= base + hypervisor_leaves)
		return 0;
	if (memcmp(name, "Microsoft Hv", 12) == 0 && top >= base + HYPER_V_FEATURES) {
		r = ask(context, base + HYPER_V_FEATURES, 0);
		return r.eax & FEATURE_REGISTERS && r.edx & FEATURE_AVAILABLE &&
				       read(msr_hyper_v_tsc, &hz) ? hz : 0;
	}
	for (uint32_t i = 0; i < sizeof(timing) / sizeof(timing[0]); i++)
		if (memcmp(name, timing[i], 12) == 0 && top >= base + LEAF_TIMING)
			return (uint64_t)ask(context, base + LEAF_TIMING, 0).eax * 1000;
	return 0;
}

/* Leaf 10h, EAX: kHz, as VMware defined it, and KVM, QEMU and ACRN took it over. */
static uint64_t from_hypervisor(cpuid_function *ask, void *context, tsc_register_reader *read)
{
	uint64_t hz;

	if (!(ask(context, 1, 0).ecx & 1u << 31))
		return 0;
	hz = from_interface(ask, context, leaf_hypervisor, read);
	return hz ? hz : from_interface(ask, context, leaf_hypervisor + hypervisor_leaves, read);
}

uint64_t tsc_stated_hz(enum tsc_source source, cpuid_function *ask, void *context,
		       tsc_register_reader *read)
{
	uint64_t hz = 0;

	if (source == TSC_FROM_HYPERVISOR)
		hz = from_hypervisor(ask, context, read);
	if (source == TSC_FROM_CPUID_15)
		hz = from_cpuid_15(ask, context);
	if (source == TSC_FROM_CPUID_16)
		hz = from_cpuid_16(ask, context);
	return tsc_plausible(hz) ? hz : 0;
}

static bool agree(uint64_t a, uint64_t b)
{
	return max_u64(a, b) - min_u64(a, b) <= max_u64(a, b) / AGREE_PART;
}

/* The first timer from `source` on that answers. */
static struct tsc_frequency next_timer(enum tsc_source source, tsc_timer *measure, void *context)
{
	for (; source <= TSC_FROM_PIT; source++) {
		uint64_t hz = measure(context, source);

		if (tsc_plausible(hz))
			return (struct tsc_frequency){ source, hz };
	}
	return (struct tsc_frequency){ TSC_ASSUMED, 0 };
}

static void note_contradiction(struct tsc_frequency believed, struct tsc_frequency doubted,
			       struct anomaly_log *log)
{
	if (!doubted.hz || agree(believed.hz, doubted.hz))
		return;
	anomaly_add(log, "clock", 0, rows[doubted.source].doubted, doubted.hz);
	anomaly_add(log, "clock", 0, rows[believed.source].believed, believed.hz);
}

struct tsc_frequency tsc_choose(const uint64_t stated[TSC_SOURCES], tsc_timer *measure,
				void *context, struct anomaly_log *log)
{
	const struct tsc_frequency hypervisor = { TSC_FROM_HYPERVISOR,
						  stated[TSC_FROM_HYPERVISOR] };
	const struct tsc_frequency exact = { TSC_FROM_CPUID_15, stated[TSC_FROM_CPUID_15] };
	const struct tsc_frequency nominal = { TSC_FROM_CPUID_16, stated[TSC_FROM_CPUID_16] };
	struct tsc_frequency first = next_timer(TSC_FROM_HPET, measure, context), second = { 0 };
	struct tsc_frequency chosen = { TSC_ASSUMED, ASSUMED_HZ };

	if (!hypervisor.hz && first.hz && exact.hz && !agree(first.hz, exact.hz))
		second = next_timer(first.source + 1, measure, context);
	if (hypervisor.hz)
		chosen = hypervisor;
	else if (exact.hz && (!first.hz || agree(first.hz, exact.hz) ||
			      (second.hz && agree(second.hz, exact.hz))))
		chosen = exact;
	else if (first.hz)
		chosen = first;
	else if (nominal.hz)
		chosen = nominal;
	note_contradiction(chosen, exact, log);
	note_contradiction(chosen, first, log);
	note_contradiction(chosen, second, log);
	return chosen;
}
