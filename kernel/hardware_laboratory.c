/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/hardware_laboratory.h"

#include "experiments/driver.h"
#include "kernel/counters.h"
#include "kernel/interrupts.h"
#include "kernel/paging.h"
#include "kernel/stack_guard.h"
#include "lib/cpu.h"
#include "smp/start/vector_state.h"
#include "smp/start/work.h"

enum { WORK_TIMEOUT_S = 600 };

_Static_assert(COUNTER_MISSING == DISTURBANCE_UNKNOWN, "handed on as it is");

/* Too large for a stack, and needed until the end. */
static struct laboratory laboratory;

static void machine_run(void *context, const uint32_t *cpus, uint32_t count,
			void (*function)(void *argument, uint32_t index), void *argument)
{
	(void)context;
	smp_run(cpus, count, function, argument, WORK_TIMEOUT_S * 1000000ull);
}

static void machine_start(void *context, const uint32_t *cpus, uint32_t count,
			  void (*function)(void *argument, uint32_t index), void *argument)
{
	(void)context;
	smp_begin(cpus, count, function, argument);
}

static void machine_wait(void *context)
{
	(void)context;
	smp_wait(WORK_TIMEOUT_S * 1000000ull);
}

static uint64_t machine_now(void *context)
{
	(void)context;
	return tsc_ordered();
}

static void machine_disturbance(void *context, struct disturbance *reading)
{
	(void)context;
	*reading = (struct disturbance){
		.smi = counter_read(COUNTER_SMI),
		.aperf = counter_read(COUNTER_APERF),
		.mperf = counter_read(COUNTER_MPERF),
	};
}

static void *allocate(void *context, uint64_t bytes)
{
	return early_alloc_bytes(context, bytes, direct(0));
}

const char *hardware_laboratory_run(const struct hardware_parts *e)
{
	struct lab_machine machine = {
		.run = machine_run,
		.start = machine_start,
		.wait = machine_wait,
		.now = machine_now,
		.disturbance = machine_disturbance,
		.timeout_cycles = WORK_TIMEOUT_S * e->tsc_hz,
	};

	laboratory.machine = &machine;
	laboratory.options = e->options;
	laboratory.topology = e->topology;
	laboratory.hmat = e->hmat;
	laboratory.memmap = e->memmap;
	laboratory.reserved = &e->early->reserved;
	vector_state_common(&laboratory.features);
	laboratory.irq = (struct irq_guard){ interrupts_off, interrupts_restore };
	laboratory.base = direct(0);
	laboratory.pageblocks = (uint8_t *)PAGEBLOCK_BASE;
	laboratory.tsc_hz = e->tsc_hz;
	laboratory.report = e->report;
	laboratory.allocate = allocate;
	laboratory.allocate_context = e->early;
	laboratory.check = stack_guard_check;
	return laboratory_run(&laboratory);
}
