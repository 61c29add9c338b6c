/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/work.h"

#include <stddef.h>

#include "kernel/clock.h"
#include "kernel/panic.h"
#include "kernel/traps.h"
#include "lib/assert.h"
#include "lib/cpu.h"
#include "lib/patience.h"
#include "smp/start/lapic.h"
#include "smp/start/roster.h"

typedef void work_function(void *argument, uint32_t index);

/* The work that is being done, one at a time. Only the boot CPU hands any out. */
static const uint32_t *begun_cpus;
static uint32_t begun_count;
static uint32_t waiter_apic_id;     /* who handed it out */
static _Atomic uint32_t unfinished; /* of these CPUs */

static void do_work(struct percpu *block, work_function *work)
{
	atomic_store_explicit(&block->state, CPU_WORKING, memory_order_relaxed);
	work(block->work_argument, block->work_index);
	atomic_store_explicit(&block->state, CPU_IDLE, memory_order_relaxed);
	/* The mailbox is free before the caller can know that all have finished and send again. */
	atomic_store_explicit(&block->work, NULL, memory_order_release);
	if (atomic_fetch_sub_explicit(&unfinished, 1, memory_order_release) == 1)
		lapic_send_wake(waiter_apic_id);
}

/*
 * Work that is posted after the mailbox was found empty must not be slept through: interrupts are
 * off while looking, and STI takes effect only after the instruction that follows it [SDM 2B STI].
 * The wake message, which comes after the work, stays pending until then and ends the HLT at once.
 */
_Noreturn void work_loop(struct percpu *block)
{
	for (;;) {
		work_function *work;

		__asm__ volatile("cli" ::: "memory");
		work = atomic_load_explicit(&block->work, memory_order_acquire);
		if (work)
			do_work(block, work);
		else
			__asm__ volatile("sti\n\thlt" ::: "memory");
	}
}

_Noreturn void cpu_park(void)
{
	for (;;)
		__asm__ volatile("cli\n\thlt" ::: "memory");
}

static void post(struct percpu *block, work_function *work, void *argument, uint32_t index)
{
	lab_assert(atomic_load_explicit(&block->work, memory_order_relaxed) == NULL);
	block->work_argument = argument;
	block->work_index = index;
	atomic_store_explicit(&block->work, work, memory_order_release);
	lapic_send_wake(block->apic_id);
}

static _Noreturn void name_the_missing(uint64_t timeout_us)
{
	for (uint32_t i = 0; i < begun_count; i++) {
		const struct percpu *block = roster_find(begun_cpus[i]);

		if (atomic_load_explicit(&block->work, memory_order_relaxed))
			panic("CPU %u (APIC id %u) is at work; nobody finished within %lu ms",
			      block->cpu, block->apic_id, timeout_us / 1000);
	}
	panic("%u CPUs did their work, but not all reported within %lu ms", begun_count,
	      timeout_us / 1000);
}

/*
 * The patience begins anew each time that somebody finishes. Like everybody without work the waiter
 * halts: on a machine with more virtual CPUs than real ones it would take its time from the
 * others'. The last to finish wakes it, or else the alarm, to see whether the time is up. A machine
 * that stood still raised no alarms meanwhile: it takes PATIENCE_LOOKS of them until it is.
 */
void smp_wait(uint64_t timeout_us)
{
	struct patience patience = { 0 };
	uint32_t left = UINT32_MAX;

	for (;;) {
		uint64_t now = tsc_ordered();
		uint32_t now_left;

		__asm__ volatile("cli" ::: "memory");
		now_left = atomic_load_explicit(&unfinished, memory_order_acquire);
		if (now_left == 0)
			return;
		if (now_left < left)
			patience_begin(&patience, now, clock_cycles_us(timeout_us));
		else if (patience_over(&patience, now))
			name_the_missing(timeout_us);
		left = now_left;
		lapic_set_alarm();
		__asm__ volatile("sti\n\thlt" ::: "memory");
	}
}

/* Index of the calling CPU in `cpus`, `count` when it is not named. */
static uint32_t check_named(const uint32_t *cpus, uint32_t count)
{
	uint32_t own_index = count;

	lab_assert(atomic_load(&unfinished) == 0);
	for (uint32_t i = 0; i < count; i++) {
		const struct percpu *block = roster_find(cpus[i]);

		lab_assert(block != NULL);
		if (block == this_cpu())
			own_index = i;
	}
	return own_index;
}

static void begin(const uint32_t *cpus, uint32_t count, uint32_t own_index,
		  work_function *function, void *argument)
{
	begun_cpus = cpus;
	begun_count = count;
	waiter_apic_id = this_cpu()->apic_id;
	atomic_store(&unfinished, own_index < count ? count - 1 : count);
	for (uint32_t i = 0; i < count; i++)
		if (i != own_index)
			post(roster_find(cpus[i]), function, argument, i);
}

void smp_begin(const uint32_t *cpus, uint32_t count, work_function *function, void *argument)
{
	uint32_t own_index = check_named(cpus, count);

	lab_assert(own_index == count);
	begin(cpus, count, own_index, function, argument);
}

void smp_run(const uint32_t *cpus, uint32_t count, work_function *function, void *argument,
	     uint64_t timeout_us)
{
	uint32_t own_index = check_named(cpus, count);

	begin(cpus, count, own_index, function, argument);
	if (own_index < count)
		function(argument, own_index);
	smp_wait(timeout_us);
}
