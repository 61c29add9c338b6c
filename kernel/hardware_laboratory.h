/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiments that the command line chose, on this machine's CPUs, and their reports. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/options.h"
#include "report/report.h"
#include "mm/machine/early_alloc.h"
#include "mm/machine/memmap.h"
#include "mm/machine/topology.h"

struct hardware_parts {
	struct report *report;
	const struct options *options;
	const struct topology *topology; /* all CPUs started */
	const struct hmat_facts *hmat;   /* as parsed, perhaps empty */
	const struct memmap *memmap;     /* mapped */
	struct early_alloc *early;       /* nothing else is allocated from here on */
	uint64_t tsc_hz;
};

/* Runs and reports them, one after the other. NULL when all found everything as it must be; else
 * what is wrong, in one clause. */
const char *hardware_laboratory_run(const struct hardware_parts *parts);
