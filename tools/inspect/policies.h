/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What each policy would do on a machine, and where its numbers come from. */
#include <stdbool.h>
#include <stdint.h>

#include "mm/init/policy.h"
#include "tools/inspect/inspection.h"

/* Why nothing can be planned before boot, or NULL: the policy's number of workers comes from cores
 * or bandwidths that the user did not give, or from times that the booted kernel measures. */
const char *policy_unplanned(const struct inspection *inspection, enum policy policy);

struct policy_outline {
	uint32_t cpus;        /* at work, each counted once however many nodes it serves */
	uint32_t most;        /* workers of one node */
	uint32_t jobs;
	uint64_t chunk_pages; /* of the largest job */
	uint64_t cpu_pages;   /* that the busiest CPU has at least */
	uint64_t least_ps;    /* least_time.h; 0: cannot be told */
};

/* Of a policy that can be planned, on a machine whose plan was made. */
struct policy_outline policy_outline(const struct inspection *inspection, enum policy policy);

struct why_text {
	char text[120];
};

/* Why `node` has that many workers in the plan that was made. */
struct why_text policy_why(const struct inspection *inspection, uint32_t node);
