/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Time: the TSC, and how fast it runs. */
#include <stdbool.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"
#include "smp/dispatch/tsc_frequency.h"

struct clock_facts {
	uint64_t tsc_hz;
	enum tsc_source source;
	bool invariant;     /* CPUID 8000_0007h EDX bit 8 */
	uint64_t overhead_cycles; /* an empty tsc_ordered() pair, minimum of many */
};

/* Finds the frequency, bounded in every step; either table may be NULL. Notes who contradicts. */
struct clock_facts clock_init(const struct hpet_facts *hpet, const struct fadt_facts *fadt,
			      struct anomaly_log *log);

/* Waits at least so long, by the TSC. Works once clock_init has returned. */
void clock_delay_us(uint64_t microseconds);

/* Cycles of the TSC in that time; at 1 GHz until clock_init has found out. */
uint64_t clock_cycles_us(uint64_t microseconds);

/* TSC value so far ahead from now. */
uint64_t clock_deadline_us(uint64_t microseconds);
