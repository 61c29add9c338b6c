/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the calling CPU counts besides time. COUNTER_MISSING where it has no such counter. */
#include <stdint.h>

enum counter {
	COUNTER_SMI,   /* system management interrupts since reset [SDM 4 MSR_SMI_COUNT] */
	COUNTER_APERF, /* actual clock cycles while not halted [SDM 3B 15.2] */
	COUNTER_MPERF, /* the same at the nominal frequency */
	COUNTERS
};
#define COUNTER_MISSING UINT64_MAX

/* Finds out which there are; the CPUs of one machine are taken to be alike. */
void counters_init(void);

uint64_t counter_read(enum counter counter);
