/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/firmware_claims.h"

#include "lab/summary/thresholds.h"
#include "lib/stats.h"

enum { PS_PER_NS = 1000, LOCAL_DISTANCE = 10, MILLI = 1000 };

bool firmware_claims_any(const struct topology *topology)
{
	return topology->bandwidth_from_hmat || topology->distance_from_slit;
}

static uint64_t local_latency_ps(const struct bandwidth_results *results, uint32_t node)
{
	for (uint32_t i = 0; i < results->pair_count; i++)
		if (results->pairs[i].initiator == node && results->pairs[i].target == node)
			return results->pairs[i].latency_ps;
	return 0;
}

static struct firmware_claim judge(uint64_t claimed, uint64_t measured)
{
	struct firmware_claim claim = { claimed, measured, claimed && measured, false };

	claim.off = claim.known && (claimed > THRESHOLD_FIRMWARE_FACTOR * measured ||
				    measured > THRESHOLD_FIRMWARE_FACTOR * claimed);
	return claim;
}

struct pair_claims firmware_claims_of(const struct bandwidth_results *results,
				      const struct topology *topology, uint32_t number)
{
	const struct node_pair *pair = &results->pairs[number];
	const struct hmat_pair *hmat = &topology->bandwidth[pair->initiator][pair->target];
	uint64_t local_ps = local_latency_ps(results, pair->initiator);
	uint64_t distance = topology->distance[pair->initiator][pair->target];
	struct pair_claims of = { .off = 0 };

	of.claims[CLAIM_READ] = judge(hmat->read_mbps, pair->read_mbps[BANDWIDTH_ALL_CORES]);
	of.claims[CLAIM_WRITE] = judge(hmat->write_mbps, pair->write_mbps[BANDWIDTH_ALL_CORES]);
	of.claims[CLAIM_LATENCY] = judge((uint64_t)hmat->read_latency_ns * PS_PER_NS,
					 pair->latency_ps);
	if (topology->distance_from_slit && local_ps && pair->initiator != pair->target)
		of.claims[CLAIM_DISTANCE] =
			judge(distance * MILLI / LOCAL_DISTANCE,
			      mul_div_u64(pair->latency_ps, MILLI, local_ps));
	for (int kind = 0; kind < CLAIM_KINDS; kind++)
		of.off += of.claims[kind].off;
	return of;
}
