/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Jobs from a plan, and what their claims say afterwards. */
#include "lab/run/state.h"

/* What writes the struct pages of this run on cores of that kind. */
enum store lab_store(const struct lab *lab, uint32_t kind);

/* Fills job states, logs and arguments for this run, from lab->borders on. False when its
 * chunks do not fit. */
bool lab_prepare_jobs(struct lab *lab);

/* Whether the claims tile every job, and no two jobs of a node overlap. On false *bad_pfn is the
 * first frame missing or claimed twice. */
bool lab_claims_good(const struct lab *lab, uint64_t *bad_pfn);

/* Who did how much, read from the claims: workers do not count while the clock runs. Returns the
 * sum of pages. */
uint64_t lab_tally(struct lab *lab);
