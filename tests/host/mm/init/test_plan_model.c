/* SPDX-License-Identifier: GPL-2.0-only */
/* Plans of random machines against a model of every frame. */
#include "tests/host/plan_fixture.h"
#include "tests/host/random.h"

static uint64_t seed;

enum { SECTIONS = 7, FRAMES = SECTIONS * 32768, NODES = 4 };

struct model {
	uint64_t base_pfn;
	uint8_t node[FRAMES]; /* of RAM, later of holes; 0xff: section without RAM */
	uint8_t kind[FRAMES];
	bool deferred[FRAMES];
	uint64_t first_deferred[NODES];
};

static struct model m;

static uint64_t random_border(uint64_t from, uint64_t reach)
{
	uint64_t at = from + random_next(&seed) % reach;

	switch (random_next(&seed) % 3) {
	case 0:
		return (at + S - 1) / S * S;
	case 1:
		return (at + 511) / 512 * 512;
	default:
		return at;
	}
}

static void random_machine(void)
{
	static const uint64_t bases[] = { 0, 29 * 32768, 3 * 32768, (1ull << 34) - 7 * 32768 };
	uint64_t at, end;

	clear(NULL);
	m.base_pfn = bases[random_next(&seed) % 4];
	memset(m.node, 0xff, sizeof(m.node));
	memset(m.kind, FRAME_HOLE, sizeof(m.kind));
	memset(m.deferred, 0, sizeof(m.deferred));
	for (at = random_next(&seed) % 40000; at < FRAMES; at = end) {
		uint32_t node = random_next(&seed) % NODES;

		if (random_next(&seed) % 3 == 0)
			at = random_border(at, 60000);
		end = random_border(at + 1, random_next(&seed) % 2 ? 400 : 100000);
		end = end > FRAMES ? FRAMES : end;
		if (at >= end)
			break;
		hand_ram(&topology, m.base_pfn + at, m.base_pfn + end, node);
		memset(&m.node[at], (int)node, end - at);
		memset(&m.kind[at], FRAME_FREE, end - at);
	}
	for (uint64_t i = random_next(&seed) % 20; i > 0; i--) {
		at = random_border(0, FRAMES);
		end = random_border(at, random_next(&seed) % 2 ? 300 : 50000);
		reserve(m.base_pfn + at, m.base_pfn + end);
		for (; at < end && at < FRAMES; at++)
			if (m.kind[at] == FRAME_FREE)
				m.kind[at] = FRAME_RESERVED;
	}
}

static void model_first_deferred(void)
{
	uint64_t below[NODES] = { 0 };
	enum zone highest[NODES] = { ZONE_DMA };

	for (uint32_t n = 0; n < NODES; n++)
		m.first_deferred[n] = UINT64_MAX;
	for (uint64_t f = 0; f < FRAMES; f++)
		if (m.kind[f] != FRAME_HOLE)
			highest[m.node[f]] = zone_of(m.base_pfn + f);
	for (uint64_t f = 0; f < FRAMES; f++) {
		for (uint32_t n = 0; f % S == 0 && n < NODES; n++)
			if (below[n] >= S && m.first_deferred[n] == UINT64_MAX)
				m.first_deferred[n] = f;
		if (m.kind[f] != FRAME_HOLE)
			below[m.node[f]] += zone_of(m.base_pfn + f) == highest[m.node[f]];
		if (m.kind[f] == FRAME_FREE)
			m.deferred[f] = f >= m.first_deferred[m.node[f]];
	}
}

/* Before the holes have nodes. */
static void model_mixed_blocks(void)
{
	for (uint64_t block = 0; block < FRAMES; block += 1024) {
		uint32_t nodes = 0;

		for (uint64_t f = block; f < block + 1024; f++)
			if (m.kind[f] != FRAME_HOLE)
				nodes |= 1u << m.node[f];
		if (nodes & (nodes - 1))
			memset(&m.deferred[block], 0, 1024);
	}
}

static void model_holes(void)
{
	for (uint64_t s = 0; s < SECTIONS; s++) {
		uint8_t node = 0xff;

		for (uint64_t f = (s + 1) * S; f-- > s * S;) {
			if (m.kind[f] != FRAME_HOLE)
				node = m.node[f];
			m.node[f] = node;
		}
		for (uint64_t f = s * S; f < (s + 1) * S; f++) {
			if (m.node[f] == 0xff && f % S)
				m.node[f] = m.node[f - 1];
		}
	}
}

static void check_spans(void)
{
	uint64_t f = 0, covered = 0;

	for (uint64_t i = 0; i < plan->span_count; i++) {
		const struct init_span *span = &plan->spans[i];
		uint64_t start = span->start_pfn - m.base_pfn, end = span->end_pfn - m.base_pfn;

		for (; f < start; f++)
			assert_int_equal(m.node[f], 0xff);
		assert_int_equal(f, start);
		assert_true(start < end && end <= FRAMES);
		assert_int_equal(zone_of(span->start_pfn), zone_of(span->end_pfn - 1));
		for (; f < end; f++)
			if (m.node[f] != span->node || m.kind[f] != span->kind ||
			    m.deferred[f] != span->deferred)
				fail_msg("frame %lx", (unsigned long)(m.base_pfn + f));
		covered += end - start;
	}
	for (; f < FRAMES; f++)
		assert_int_equal(m.node[f], 0xff);
	assert_int_equal(plan->total_pages, covered);
	assert_int_equal(plan->total_pages, hand.memmap.count * S);
}

static uint64_t next_deferred(uint64_t f, uint32_t node)
{
	while (f < FRAMES && !(m.deferred[f] && m.node[f] == node))
		f++;
	return f;
}

static void check_zone_jobs(void)
{
	uint32_t job = 0;

	for (uint32_t node = 0; node < NODES; node++) {
		uint64_t f = next_deferred(0, node), end = f;

		assert_int_equal(plan->nodes[node].first_job, job);
		if (f < FRAMES) {
			for (; f < FRAMES; f = next_deferred(f + 1, node))
				end = f + 1;
			end = (end + S - 1) / S * S;
			check_job(job++, node, m.base_pfn + m.first_deferred[node],
				  m.base_pfn + end);
		}
		assert_int_equal(plan->nodes[node].first_job + plan->nodes[node].job_count, job);
	}
	assert_int_equal(plan->job_count, job);
}

static void check_range_jobs(void)
{
	uint32_t job = 0;

	for (uint32_t node = 0; node < NODES; node++) {
		uint64_t f = next_deferred(0, node);

		assert_int_equal(plan->nodes[node].first_job, job);
		while (f < FRAMES) {
			uint64_t end = f;

			while (end < FRAMES && m.deferred[end] && m.node[end] == node)
				end++;
			end = (end + S - 1) / S * S;
			check_job(job++, node, m.base_pfn + f, m.base_pfn + end);
			f = next_deferred(end, node);
		}
		assert_int_equal(plan->nodes[node].first_job + plan->nodes[node].job_count, job);
	}
	assert_int_equal(plan->job_count, job);
}

static void check_sums(void)
{
	uint64_t kinds[NODES][FRAME_KINDS] = { 0 }, deferred[NODES] = { 0 }, total = 0;

	for (uint64_t f = 0; f < FRAMES; f++) {
		if (m.node[f] == 0xff)
			continue;
		kinds[m.node[f]][m.kind[f]]++;
		deferred[m.node[f]] += m.deferred[f];
	}
	for (uint32_t n = 0; n < NODES; n++) {
		const struct init_node *node = &plan->nodes[n];

		assert_int_equal(node->free_pages, kinds[n][FRAME_FREE]);
		assert_int_equal(node->reserved_pages, kinds[n][FRAME_RESERVED]);
		assert_int_equal(node->hole_pages, kinds[n][FRAME_HOLE]);
		assert_int_equal(node->deferred_pages, deferred[n]);
		assert_int_equal(node->early_pages + deferred[n],
				 kinds[n][0] + kinds[n][1] + kinds[n][2]);
		assert_int_equal(node->first_deferred_pfn, deferred[n] ?
				 m.base_pfn + m.first_deferred[n] : UINT64_MAX);
		total += deferred[n];
	}
	assert_int_equal(plan->deferred_pages, total);
	assert_int_equal(plan->early_pages + total, plan->total_pages);
}

static void agrees_with_a_model_of_every_frame(void **state)
{
	(void)state;
	seed = 0xd1342543de82ef95;
	for (int round = 0; round < 200; round++) {
		random_machine();
		rules.policy = round % 2 ? POLICY_PADATA : POLICY_ZONE;
		model_first_deferred();
		model_mixed_blocks();
		model_holes();
		build();
		check_spans();
		if (round % 2)
			check_range_jobs();
		else
			check_zone_jobs();
		check_sums();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_a_model_of_every_frame),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
