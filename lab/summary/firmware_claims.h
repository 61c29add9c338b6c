/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What firmware says of the way from one node's CPUs to another node's memory, beside what the
 * experiment `bandwidth` found. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/workers/bandwidth.h"
#include "mm/machine/topology.h"

enum claim_kind { CLAIM_READ, CLAIM_WRITE, CLAIM_LATENCY, CLAIM_DISTANCE, CLAIM_KINDS };

/* In one unit: MB/s, ps, or thousandths of the local latency. 0: unknown. */
struct firmware_claim {
	uint64_t claimed, measured;
	bool known; /* both are */
	bool off;   /* they differ by more than THRESHOLD_FIRMWARE_FACTOR */
};

struct pair_claims {
	struct firmware_claim claims[CLAIM_KINDS];
	uint32_t off; /* how many of them are */
};

/* Whether firmware says anything that could be compared. */
bool firmware_claims_any(const struct topology *topology);

/* Of results->pairs[pair]. A distance is only compared between different nodes. */
struct pair_claims firmware_claims_of(const struct bandwidth_results *results,
				      const struct topology *topology, uint32_t pair);
