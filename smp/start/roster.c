/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/roster.h"

#include <stddef.h>

#include "lib/limits.h"
#include "smp/start/lapic.h"

static struct percpu awaited; /* only its address means something */
static _Atomic(struct percpu *) roster[CPU_MAX] = { &boot_percpu };
static _Atomic uint32_t arrived;

void roster_await(uint32_t cpu)
{
	atomic_store(&roster[cpu], &awaited);
}

bool roster_is_awaited(uint32_t cpu)
{
	return atomic_load(&roster[cpu]) == &awaited;
}

bool roster_arrive(uint32_t cpu, struct percpu *block)
{
	struct percpu *expected = &awaited;

	if (!atomic_compare_exchange_strong(&roster[cpu], &expected, block))
		return false;
	atomic_fetch_add(&arrived, 1);
	return true;
}

bool roster_give_up(uint32_t cpu)
{
	struct percpu *expected = &awaited;

	return atomic_compare_exchange_strong(&roster[cpu], &expected, NULL);
}

struct percpu *roster_find(uint32_t cpu)
{
	struct percpu *block = cpu < CPU_MAX ? atomic_load(&roster[cpu]) : NULL;

	return block == &awaited ? NULL : block;
}

uint32_t roster_arrived(void)
{
	return atomic_load(&arrived);
}

/* By name and not to "all but self": CPUs that never came here may be in the firmware's hands,
 * where an NMI finds no handler. */
void smp_halt_others(void)
{
	for (uint32_t cpu = 0; cpu < CPU_MAX; cpu++) {
		const struct percpu *block = roster_find(cpu);

		if (block && block != this_cpu())
			lapic_send_nmi(block->apic_id);
	}
}
