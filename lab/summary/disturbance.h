/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What took cycles away from an experiment, as far as the CPUs can tell. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"
#include "lib/stats.h"

/* Over the runs of one policy of experiment `init`, the cold one included. */
struct init_disturbed {
	enum policy policy;
	uint32_t runs;
	uint32_t smi_known, smi_hit; /* runs with a counter; runs in which it moved */
	uint64_t smi;                /* in all these runs */
	struct summary permille;     /* actual of nominal frequency, of the runs that know it */
	uint32_t stalled;            /* warm runs of THRESHOLD_STALL_FACTOR times the median */
	uint64_t stalled_cycles;     /* the most that one of them took above the median */
};

struct init_disturbed init_disturbed(const struct init_results *results, enum policy policy);

/* Of the boot CPU, throughout an experiment on the page allocator. */
struct cpu_disturbed {
	bool smi_known;
	uint64_t smi;
	uint64_t permille; /* actual of nominal frequency; 0: not counted, or it stood still */
};

struct cpu_disturbed cpu_disturbed(const struct disturbance *before,
				   const struct disturbance *after);
