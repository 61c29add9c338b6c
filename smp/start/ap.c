/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/ap.h"

#include "kernel/caching.h"
#include "kernel/machine_check.h"
#include "kernel/paging.h"
#include "kernel/traps.h"
#include "lib/cpu.h"
#include "smp/dispatch/cpu_topology.h"
#include "smp/start/lapic.h"
#include "smp/start/roster.h"
#include "smp/start/vector_state.h"
#include "smp/start/work.h"

static const struct topology *expected;
static _Atomic uint32_t strangers, stranger_id;

void ap_expect(const struct topology *topology)
{
	expected = topology;
}

uint32_t ap_strangers(uint32_t *apic_id)
{
	*apic_id = atomic_load(&stranger_id);
	return atomic_load(&strangers);
}

void ap_locate(struct percpu *block)
{
	cpu_topology_decode(cpuid_here, NULL, block->apic_id, &block->location);
	core_design_decode(cpuid_here, NULL, &block->design);
}

/* Everything about the CPU is in its block before the roster shows it to others. */
_Noreturn void ap_main(struct percpu *block)
{
	uint32_t cpu;

	percpu_load(block);
	traps_load();
	machine_check_enable();
	caching_reset_attributes();
	paging_enable_global_pages();
	vector_state_enable();
	lapic_enable();
	block->apic_id = lapic_id();
	ap_locate(block);
	caching_compare(block);
	cpu = topology_cpu_by_apic(expected, block->apic_id);
	if (cpu < CPU_MAX)
		block->cpu = cpu;
	atomic_store(&block->state, CPU_IDLE);
	if (cpu == CPU_MAX || !roster_arrive(cpu, block)) {
		atomic_store(&stranger_id, block->apic_id);
		atomic_fetch_add(&strangers, 1);
		cpu_park();
	}
	work_loop(block);
}
