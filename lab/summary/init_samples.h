/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Samples of the experiment `init`, collected and summed up: of the warm runs, without the cold
 * one, repetition 0, and without those that timed out. */
#include <stdbool.h>
#include <stddef.h>

#include "lab/init/init.h"
#include "lib/stats.h"

bool init_is_warm(const struct run_sample *run, enum policy policy);

/* Of the warm runs of `policy`, the member of type uint64_t that lies at `offset`. */
struct summary init_sum_up(const struct init_results *results, enum policy policy, size_t offset);

/* The policy's first run that did not time out; NULL: none. */
const struct run_sample *init_first_run(const struct init_results *results, enum policy policy);
