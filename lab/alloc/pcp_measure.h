/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One measurement of the experiment `pcp`. */
#include "lab/alloc/pcp_bench_state.h"

/* A cell under the way that the allocator was initialised with, `way` in the results, once: sample
 * and counters. Nothing where the crew was given up. False: some CPU was waited for in vain. */
bool pcp_measure(struct pcp_bench_state *s, uint32_t cell, uint32_t way, uint32_t repetition);
