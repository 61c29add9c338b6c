/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/worker_rules_share.h"

#include "lib/string.h"

uint32_t worker_nearest(const struct topology *topology, const uint16_t *working, uint32_t node,
			bool near[NODE_MAX])
{
	uint32_t least = UINT32_MAX, most = 0;

	for (uint32_t i = 0; i < topology->node_count; i++)
		if (working[i] && topology->distance[i][node] < least)
			least = topology->distance[i][node];
	for (uint32_t i = 0; i < topology->node_count; i++) {
		near[i] = working[node] ? i == node :
					  working[i] && topology->distance[i][node] == least;
		if (near[i] && working[i] > most)
			most = working[i];
	}
	return most;
}

uint32_t worker_nearest_mbps(const struct topology *topology, const bool *near, uint32_t node)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < topology->node_count; i++)
		if (near[i] && topology->bandwidth[i][node].write_mbps > most)
			most = topology->bandwidth[i][node].write_mbps;
	return most;
}

struct split {
	const struct topology *topology;
	const uint16_t *working;
	uint32_t node, workers;
	bool near[NODE_MAX];
	bool equal;          /* shares, since a figure is missing */
	uint64_t weight_sum;
};

/* 32 bits at most, the sum 40. */
static uint64_t weight(const struct split *s, uint32_t i)
{
	if (!s->near[i])
		return 0;
	return s->equal ? 1 : s->topology->bandwidth[i][s->node].write_mbps;
}

static void add_weights(struct split *s)
{
	for (uint32_t i = 0; i < s->topology->node_count; i++)
		s->equal |= s->near[i] && !weight(s, i);
	for (uint32_t i = 0; i < s->topology->node_count; i++)
		s->weight_sum += weight(s, i);
}

/* What is due to `i` and not lent yet, times weight_sum; below 0 where it lends more. */
static int64_t due(const struct split *s, const uint16_t *lent, uint32_t i)
{
	return (int64_t)(s->workers * weight(s, i)) - (int64_t)(lent[i] * s->weight_sum);
}

/* The one with a CPU left to which most is due, or NODE_NONE. */
static uint32_t next_lender(const struct split *s, const uint16_t *lent)
{
	uint32_t best = NODE_NONE;

	for (uint32_t i = 0; i < s->topology->node_count; i++)
		if (s->near[i] && lent[i] < s->working[i] &&
		    (best == NODE_NONE || due(s, lent, i) > due(s, lent, best)))
			best = i;
	return best;
}

/* Whole parts of the quotas first, then one each by what is left of them. */
void worker_split(const struct topology *topology, const uint16_t *working, uint32_t node,
		  uint32_t workers, uint16_t lent[NODE_MAX])
{
	struct split s = { .topology = topology, .working = working, .node = node,
			   .workers = workers < CPU_MAX ? workers : CPU_MAX };
	uint32_t left = s.workers;

	memset(lent, 0, NODE_MAX * sizeof(*lent));
	if (!worker_nearest(topology, working, node, s.near))
		return;
	add_weights(&s);
	for (uint32_t i = 0; i < topology->node_count; i++) {
		uint64_t whole = s.workers * weight(&s, i) / s.weight_sum;

		lent[i] = whole < working[i] ? (uint16_t)whole : working[i];
		left -= lent[i];
	}
	for (uint32_t i; left && (i = next_lender(&s, lent)) != NODE_NONE; left--)
		lent[i]++;
}
