/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Policy async: the boot CPU's allocations while the workers run. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"

enum { LATENCY_BUCKETS = 64 };

/* Allocations of all runs that took at least from_cycles. Shares are rounded down. */
struct latency_bucket {
	uint64_t from_cycles;
	uint64_t end_cycles; /* exclusive; UINT64_MAX: no end */
	uint64_t allocations;
	uint64_t share_permille, up_to_here_permille;
};

/* Over the runs of the policy with whose workers the boot CPU does not wait: medians. */
struct init_async {
	enum policy policy;
	uint32_t runs;           /* 0: there is none, and nothing else here counts */
	bool degraded;           /* in some run the boot CPU was needed as a worker */
	uint64_t first_success_cycles, cycles;
	uint64_t allocations, failures;
	uint64_t min_cycles, median_cycles, p99_cycles, max_cycles;
	bool both_known;         /* the median of policy zone, too, whose boot CPU waits */
	uint64_t waiting_cycles; /* that */
	uint32_t bucket_count;   /* only such as have allocations */
	uint64_t largest;        /* of their allocations */
	struct latency_bucket buckets[LATENCY_BUCKETS];
};

/* Whether its boot CPU may allocate meanwhile, and it came to an end. */
bool init_is_async(const struct run_sample *run);

void init_sum_up_async(const struct init_results *results, struct init_async *async);
