/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/bringup.h"

#include <stddef.h>

#include "kernel/clock.h"
#include "kernel/io.h"
#include "kernel/paging.h"
#include "lib/assert.h"
#include "lib/cpu.h"
#include "lib/page_units.h"
#include "lib/patience.h"
#include "lib/string.h"
#include "mm/machine/topology_kinds.h"
#include "smp/start/ap.h"
#include "smp/start/lapic.h"
#include "smp/start/percpu.h"
#include "smp/start/roster.h"
#include "smp/start/trampoline.h"

enum {
	STACK_PAGES = 4,
	EXCEPTION_STACK_PAGES = 2,
	NMI_STACK_PAGES = 2, /* a panic prints from there, too */

	INIT_DELAY_US = 10 * 1000, /* [MP B.4] */
	STARTUP_DELAY_US = 200,
	/* An emulated machine may need minutes for all, but somebody comes all the time. */
	SILENCE_US = 500 * 1000,
	ABSOLUTE_PATIENCE_US = 60 * 1000 * 1000,
};

#define NO_APIC_ID UINT32_MAX

struct bringup {
	struct topology *topology;
	struct early_alloc *early;
	struct anomaly_log *log;
	struct trampoline trampoline;
	uint32_t misled_cpu;                /* its messages go to `nobody`; or CPU_UNKNOWN */
	uint32_t nobody;
	uint32_t started;
	uint64_t first_tsc; /* just before the first INIT */
	struct patience patience; /* in all */
};

/* Blocks and stacks are given out in the order of arrival. */
static struct percpu *pool[CPU_MAX];

static void complain(struct bringup *b, uint32_t cpu, const char *reason)
{
	anomaly_add(b->log, "SMP", cpu, reason, b->topology->cpus[cpu].apic_id);
}

static bool any_id_needs_x2apic(const struct topology *topology)
{
	for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
		if (topology->cpus[cpu].apic_id > XAPIC_ID_MAX)
			return true;
	return false;
}

/* A page of its own per CPU: no two CPUs write to one cache line. NULL when out of memory. */
static struct percpu *make_block(struct early_alloc *early)
{
	uint64_t pfn = early_alloc_pages(early, 1, 1, NODE_ANY, UINT64_MAX);
	void *stack = paging_map_stack(STACK_PAGES);
	void *exception_stack = paging_map_stack(EXCEPTION_STACK_PAGES);
	void *nmi_stack = paging_map_stack(NMI_STACK_PAGES);
	struct percpu *block;

	if (pfn == EARLY_ALLOC_NONE || !stack || !exception_stack || !nmi_stack)
		return NULL;
	block = direct(pfn << PAGE_SHIFT);
	memset(block, 0, sizeof(*block));
	block->cpu = CPU_UNKNOWN;
	block->stack_top = (uint64_t)stack - STACK_CANARY_BYTES;
	block->stack_bottom = (uint64_t)stack - STACK_PAGES * PAGE_BYTES;
	block->exception_stack_top = (uint64_t)exception_stack - STACK_CANARY_BYTES;
	block->exception_stack_bottom =
		(uint64_t)exception_stack - EXCEPTION_STACK_PAGES * PAGE_BYTES;
	block->nmi_stack_top = (uint64_t)nmi_stack - STACK_CANARY_BYTES;
	block->nmi_stack_bottom = (uint64_t)nmi_stack - NMI_STACK_PAGES * PAGE_BYTES;
	return block;
}

static void await_cpus(struct bringup *b)
{
	for (uint32_t cpu = 1; cpu < b->topology->cpu_count; cpu++) {
		struct percpu *block;

		if (b->topology->cpus[cpu].apic_id > XAPIC_ID_MAX && !lapic_in_x2apic_mode()) {
			complain(b, cpu, "CPU not started: its id needs x2APIC, which is missing");
			continue;
		}
		block = make_block(b->early);
		if (!block) {
			complain(b, cpu, "CPU not started: no memory for its stacks");
			continue;
		}
		pool[b->started++] = block;
		roster_await(cpu);
	}
}

/* An APIC id that no CPU has, for the lab's test of itself. */
static uint32_t find_nobody(const struct topology *topology)
{
	for (uint32_t id = XAPIC_ID_MAX; id > 0; id--)
		if (topology_cpu_by_apic(topology, id) == CPU_MAX)
			return id;
	return NO_APIC_ID;
}

static void send_to_awaited(const struct bringup *b,
			    void (*send)(const struct bringup *b, uint32_t apic_id))
{
	for (uint32_t cpu = 1; cpu < b->topology->cpu_count; cpu++) {
		uint32_t id = cpu == b->misled_cpu ? b->nobody : b->topology->cpus[cpu].apic_id;

		if (roster_is_awaited(cpu) && id != NO_APIC_ID)
			send(b, id);
	}
}

static void send_init(const struct bringup *b, uint32_t apic_id)
{
	(void)b;
	lapic_send_init(apic_id);
}

static void send_startup(const struct bringup *b, uint32_t apic_id)
{
	lapic_send_startup(apic_id, b->trampoline.pfn);
}

/* Until all have arrived, or nobody new has reached real mode or C for a while. The time is this
 * CPU's own: the others' clocks may differ. */
static void wait_for_arrivals(struct bringup *b)
{
	struct patience silence;
	uint32_t seen = 0;

	patience_begin(&silence, tsc_ordered(), clock_cycles_us(SILENCE_US));
	while (roster_arrived() < b->started) {
		uint64_t now = tsc_ordered();
		uint32_t progress = roster_arrived() + atomic_load(&b->trampoline.data->tickets);

		if (progress != seen)
			patience_begin(&silence, now, clock_cycles_us(SILENCE_US));
		else if (patience_over(&silence, now))
			return;
		if (patience_over(&b->patience, now))
			return;
		seen = progress;
		cpu_pause();
	}
}

/* The second start-up message is the specifications' own; the third is for a CPU that lost both to
 * a long stay in system management mode. One that runs already ignores it. */
static void start_and_wait(struct bringup *b)
{
	b->first_tsc = tsc_ordered();
	patience_begin(&b->patience, b->first_tsc, clock_cycles_us(ABSOLUTE_PATIENCE_US));
	send_to_awaited(b, send_init);
	clock_delay_us(INIT_DELAY_US);
	send_to_awaited(b, send_startup);
	clock_delay_us(STARTUP_DELAY_US);
	send_to_awaited(b, send_startup);
	wait_for_arrivals(b);
	send_to_awaited(b, send_startup);
	wait_for_arrivals(b);
	atomic_fetch_or(&b->trampoline.data->tickets, TRAMPOLINE_CLOSED);
}

static void note_cpu(struct topology *topology, uint32_t number, const struct percpu *block)
{
	struct cpu *cpu = &topology->cpus[number];

	topology_add_kind(topology, number, &block->design);
	cpu->package = block->location.package;
	cpu->core = block->location.core;
	cpu->thread = block->location.thread;
}

static void collect(struct bringup *b, struct bringup_facts *facts)
{
	uint32_t stranger_id;

	for (uint32_t i = 1; i < b->topology->cpu_count; i++) {
		struct cpu *cpu = &b->topology->cpus[i];
		const struct percpu *block;

		if (roster_is_awaited(i) && roster_give_up(i))
			complain(b, i, "CPU did not arrive");
		block = roster_find(i);
		if (!block)
			continue;
		cpu->online = true;
		note_cpu(b->topology, i, block);
		if (block->first_tsc > b->first_tsc)
			cpu->arrival_cycles = block->first_tsc - b->first_tsc;
		facts->arrived++;
	}
	if (ap_strangers(&stranger_id))
		anomaly_add(b->log, "SMP", 0, "a CPU came that was not awaited, and was halted",
			    stranger_id);
}

static void note_boot_cpu(struct topology *topology)
{
	boot_percpu.apic_id = topology->cpus[0].apic_id;
	ap_locate(&boot_percpu);
	note_cpu(topology, 0, &boot_percpu);
}

static bool reach_apic(const struct bringup *b, uint64_t madt_address)
{
	if (!lapic_in_x2apic_mode() && madt_address != lapic_address())
		anomaly_add(b->log, "MADT", 0, "local APIC is not at the address given",
			    madt_address);
	if (lapic_init(any_id_needs_x2apic(b->topology)))
		return true;
	anomaly_add(b->log, "SMP", 0, "local APIC could not be mapped", lapic_address());
	return false;
}

/* The trampoline comes before the CPUs' stacks: one CPU less matters less than that page. */
static bool prepare(struct bringup *b, enum inject inject)
{
	if (!trampoline_place(&b->trampoline, b->early)) {
		anomaly_add(b->log, "SMP", 0, "no free page below 1 MiB to start other CPUs in", 0);
		return false;
	}
	await_cpus(b);
	trampoline_fill(&b->trampoline, pool, b->started);
	ap_expect(b->topology);
	if (inject == INJECT_CPU) {
		b->misled_cpu = b->topology->cpu_count - 1;
		b->nobody = find_nobody(b->topology);
	}
	return true;
}

bool smp_start(struct topology *topology, struct early_alloc *early, uint64_t madt_lapic_address,
	       enum inject inject, struct bringup_facts *facts, struct anomaly_log *log)
{
	struct bringup b = { .topology = topology, .early = early, .log = log,
			     .misled_cpu = CPU_UNKNOWN };

	memset(facts, 0, sizeof(*facts));
	facts->x2apic = lapic_in_x2apic_mode();
	note_boot_cpu(topology);
	if (topology->cpu_count == 1)
		return true;
	if (!reach_apic(&b, madt_lapic_address) || !prepare(&b, inject))
		return false;
	start_and_wait(&b);
	facts->x2apic = lapic_in_x2apic_mode();
	facts->started = b.started;
	facts->cycles = tsc_ordered() - b.first_tsc;
	collect(&b, facts);
	return true;
}
