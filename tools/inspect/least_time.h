/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What a plan takes at least: pages of the busiest CPU and, at a given rate, time. */
#include <stdint.h>

#include "mm/init/plan.h"
#include "mm/init/policy.h"
#include "tools/inspect/inspection.h"

/* Deferred pages that the busiest CPU has at least, however chunks fall: those of a node by its
 * workers, or those of all nodes that share CPUs by these CPUs. *cpus: how many CPUs work. */
uint64_t least_cpu_pages(const struct init_plan *plan, uint32_t *cpus);

/*
 * Picoseconds for the deferred part of all nodes, from when all workers have met: the busiest CPU's
 * pages at the rate given, as if no worker slowed another one and all memory were as near as where
 * the rate was measured; and for each node with its memmap on itself no less than 64 bytes a page
 * take at the HMAT's write bandwidth. 0 without a rate, and for policies that do something else to
 * a page than the one whose rate it is: two passes, or one page of many.
 */
uint64_t least_time_ps(const struct inspection *inspection, const struct init_plan *plan,
		       enum policy policy);
