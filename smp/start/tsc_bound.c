/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/tsc_bound.h"

#include <stdatomic.h>

#include "kernel/clock.h"
#include "lib/cpu.h"
#include "smp/start/work.h"

enum {
	ROUNDS = 32,
	ROUNDS_US = 10 * 1000,         /* no new round after that */
	SILENCE_US = 500 * 1000,       /* an emulated CPU may wait for a turn of its host's */
	EACH_US = 500 * 1000,          /* for CPUs one by one; the rest follows all at once */
	FAREWELL_US = 60 * 1000 * 1000 /* of smp_wait: the CPU has only to leave its loop */
};

/* Each side writes a cache line of its own. */
struct exchange {
	_Alignas(64) _Atomic uint32_t asked;    /* number of the round; STOP: the last is over */
	_Alignas(64) _Atomic uint32_t answered; /* the same, of the last round that was answered */
	uint64_t answer_tsc;
};
#define STOP UINT32_MAX

/* The other CPU: stamps its clock as soon as it sees that it is asked. */
static void answer(void *argument, uint32_t index)
{
	struct exchange *exchange = argument;
	uint64_t deadline = clock_deadline_us(SILENCE_US + ROUNDS_US);
	uint32_t last = 0;

	(void)index;
	while (tsc_ordered() < deadline) {
		uint32_t asked = atomic_load_explicit(&exchange->asked, memory_order_acquire);

		if (asked == STOP)
			return;
		if (asked == last) {
			cpu_pause();
			continue;
		}
		exchange->answer_tsc = tsc_ordered();
		atomic_store_explicit(&exchange->answered, asked, memory_order_release);
		last = asked;
		deadline = clock_deadline_us(SILENCE_US + ROUNDS_US);
	}
}

static void narrow(struct cpu *cpu, int64_t low, int64_t high)
{
	cpu->tsc_low = cpu->tsc_bounded && cpu->tsc_low > low ? cpu->tsc_low : low;
	cpu->tsc_high = cpu->tsc_bounded && cpu->tsc_high < high ? cpu->tsc_high : high;
	cpu->tsc_bounded = true;
}

/*
 * One round. The answer was stamped between the boot CPU's two looks at its own clock:
 *
 *	boot CPU   asked_tsc ----> asked     answered ----> seen_tsc
 *	other CPU                    answer_tsc
 *
 *	answer_tsc - seen_tsc <= offset <= answer_tsc - asked_tsc
 */
static bool exchange_once(struct exchange *exchange, uint32_t round, struct cpu *cpu)
{
	uint64_t deadline = clock_deadline_us(SILENCE_US), asked_tsc = tsc_ordered(), seen_tsc;

	atomic_store_explicit(&exchange->asked, round, memory_order_release);
	while (atomic_load_explicit(&exchange->answered, memory_order_acquire) != round) {
		if (tsc_ordered() > deadline)
			return false;
		cpu_pause();
	}
	seen_tsc = tsc_ordered();
	narrow(cpu, (int64_t)(exchange->answer_tsc - seen_tsc),
	       (int64_t)(exchange->answer_tsc - asked_tsc));
	return true;
}

static void measure(struct topology *topology, uint32_t number)
{
	struct exchange exchange = { .asked = 0 };
	uint64_t deadline = 0;

	smp_begin(&number, 1, answer, &exchange);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		if (!exchange_once(&exchange, round, &topology->cpus[number]))
			break;
		if (round == 1) /* which woke the CPU */
			deadline = clock_deadline_us(ROUNDS_US);
		if (tsc_ordered() > deadline)
			break;
	}
	atomic_store_explicit(&exchange.asked, STOP, memory_order_release);
	smp_wait(FAREWELL_US);
}

static void stamp(void *argument, uint32_t index)
{
	((uint64_t *)argument)[index] = tsc_ordered();
}

/* All that are left in one round, which takes as long as waking them all: a wide bound, but one. */
static void measure_the_rest(struct topology *topology)
{
	static uint32_t cpus[CPU_MAX];
	static uint64_t stamps[CPU_MAX];
	uint32_t count = 0;
	uint64_t asked_tsc, seen_tsc;

	for (uint32_t i = 1; i < topology->cpu_count; i++)
		if (topology->cpus[i].online && !topology->cpus[i].tsc_bounded)
			cpus[count++] = i;
	if (!count)
		return;
	asked_tsc = tsc_ordered();
	smp_run(cpus, count, stamp, stamps, FAREWELL_US);
	seen_tsc = tsc_ordered();
	for (uint32_t i = 0; i < count; i++)
		narrow(&topology->cpus[cpus[i]], (int64_t)(stamps[i] - seen_tsc),
		       (int64_t)(stamps[i] - asked_tsc));
}

void tsc_bound_measure(struct topology *topology)
{
	uint64_t deadline = clock_deadline_us(EACH_US);

	topology->cpus[0].tsc_bounded = true; /* the boot CPU: by itself */
	for (uint32_t i = 1; i < topology->cpu_count && tsc_ordered() < deadline; i++)
		if (topology->cpus[i].online)
			measure(topology, i);
	measure_the_rest(topology);
}
