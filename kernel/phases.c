/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/phases.h"

#include "lib/cpu.h"
#include "report/text.h"

void phases_begin(struct phases *phases, uint64_t first_tsc)
{
	phases->count = 0;
	phases->first_tsc = phases->start_tsc = first_tsc;
}

void phase_done(struct phases *phases, const char *name)
{
	uint64_t now = tsc_ordered();

	if (phases->count < PHASES_MAX)
		phases->done[phases->count++] = (struct report_phase){
			.name = name,
			.cycles = elapsed(phases->start_tsc, now),
			.end_cycles = elapsed(phases->first_tsc, now),
			.end_tsc = now,
		};
	phases->start_tsc = now;
}
