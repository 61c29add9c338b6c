/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/phases.h"

#include "lib/cpu.h"

void phases_begin(struct phases *phases, uint64_t first_tsc)
{
	phases->count = 0;
	phases->start_tsc = first_tsc;
}

void phase_done(struct phases *phases, const char *name)
{
	uint64_t now = tsc_ordered();

	if (phases->count < PHASES_MAX)
		phases->done[phases->count++] =
			(struct report_phase){ name, phases->start_tsc, now };
	phases->start_tsc = now;
}
