/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What first use of all memory costs, and what policy lazy has moved there. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"
#include "lib/stats.h"

/* Over the warm runs of one policy in which it was timed. */
struct init_first_use {
	struct summary cycles;  /* count 0: not timed */
	struct summary fill;    /* the part of them inside the filling */
	uint64_t pages;         /* allocated, each as a page of order 0 */
	uint64_t filled_blocks; /* the same in every run */
	uint64_t filled_pages;  /* in them: a block's head is not filled later */
	uint64_t both_cycles;   /* the median of the initialisation and that of first use */
	bool both_known;
};

/* `runs`: the same policy's initialisation. */
struct init_first_use init_first_use(const struct init_results *results, enum policy policy,
				     const struct summary *runs);
