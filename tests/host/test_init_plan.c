#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/hand_plan.h"
#include "tests/host/hand_topology.h"
#include "tests/host/random.h"

#define S SECTION_PAGES

static struct topology topology;
static struct range storage[4096];
static struct range_list reserved;
static struct hand_plan hand;
static const struct init_plan *plan = &hand.plan;
static struct init_rules rules;
static uint64_t seed;

static int clear(void **state)
{
	(void)state;
	range_list_init(&reserved, storage, 4096);
	hand_nodes(&topology, 4);
	hand_cpus(&topology, 0, 4);
	rules = (struct init_rules){ .policy = POLICY_PADATA };
	return 0;
}

static int release(void **state)
{
	(void)state;
	hand_plan_free(&hand);
	return 0;
}

static void build(void)
{
	assert_true(hand_plan_build(&hand, &topology, &reserved, &rules));
}

static void reserve(uint64_t start_pfn, uint64_t end_pfn)
{
	assert_true(range_list_add(&reserved, start_pfn, end_pfn));
}

static void check_span(uint64_t i, uint64_t start_pfn, uint64_t end_pfn, uint32_t node,
		       enum frame_kind kind, bool deferred)
{
	assert_true(i < plan->span_count);
	assert_int_equal(plan->spans[i].start_pfn, start_pfn);
	assert_int_equal(plan->spans[i].end_pfn, end_pfn);
	assert_int_equal(plan->spans[i].node, node);
	assert_int_equal(plan->spans[i].kind, kind);
	assert_int_equal(plan->spans[i].deferred, deferred);
}

static void check_job(uint32_t i, uint32_t node, uint64_t start_pfn, uint64_t end_pfn)
{
	assert_true(i < plan->job_count);
	assert_int_equal(plan->jobs[i].node, node);
	assert_int_equal(plan->jobs[i].start_pfn, start_pfn);
	assert_int_equal(plan->jobs[i].start_pfn + plan->jobs[i].size_pages, end_pfn);
	assert_int_equal(plan->jobs[i].align_pages, S);
}

/*	sections  |        0           |   1   |   2   |   3   |
 *	RAM       .[a)...[  b                              )...
 *	kind      h f  h  f   f   r f     f         f        h
 *	                      ^ 16 MiB    ^ not deferred before 2     B1, B3, B4 */
static void a_pc_of_one_node(void **state)
{
	(void)state;
	hand_ram(&topology, 1, 160, 0);
	hand_ram(&topology, 256, 3 * S + 100, 0);
	reserve(0, 2); /* frame 0 is no RAM: a hole, reserved or not */
	reserve(5000, 5010);
	build();
	check_span(0, 0, 1, 0, FRAME_HOLE, false);
	check_span(1, 1, 2, 0, FRAME_RESERVED, false);
	check_span(2, 2, 160, 0, FRAME_FREE, false);
	check_span(3, 160, 256, 0, FRAME_HOLE, false);
	check_span(4, 256, 4096, 0, FRAME_FREE, false);
	check_span(5, 4096, 5000, 0, FRAME_FREE, false);
	check_span(6, 5000, 5010, 0, FRAME_RESERVED, false);
	check_span(7, 5010, 2 * S, 0, FRAME_FREE, false);
	check_span(8, 2 * S, 3 * S + 100, 0, FRAME_FREE, true);
	check_span(9, 3 * S + 100, 4 * S, 0, FRAME_HOLE, false);
	assert_int_equal(plan->span_count, 10);
	assert_int_equal(plan->nodes[0].first_deferred_pfn, 2 * S);
	assert_int_equal(plan->job_count, 1);
	check_job(0, 0, 2 * S, 4 * S);
	assert_int_equal(plan->jobs[0].max_workers, 4);
	assert_int_equal(plan->total_pages, 4 * S);
	assert_int_equal(plan->deferred_pages, S + 100);
	assert_int_equal(plan->nodes[0].hole_pages, 1 + 96 + S - 100);
	assert_int_equal(plan->nodes[0].reserved_pages, 11);
}

/* Exactly one section of RAM below its end; and one frame less. */
static void first_deferred_is_the_first_border_with_a_section_below(void **state)
{
	(void)state;
	hand_ram(&topology, 10 * S, 14 * S, 0);
	hand_ram(&topology, 20 * S + 1, 24 * S, 1);
	hand_ram(&topology, 30 * S, 31 * S, 2);
	build();
	assert_int_equal(plan->nodes[0].first_deferred_pfn, 11 * S);
	assert_int_equal(plan->nodes[1].first_deferred_pfn, 22 * S);
	assert_int_equal(plan->nodes[2].first_deferred_pfn, UINT64_MAX);
	assert_int_equal(plan->nodes[2].worker_count, 0);
	assert_int_equal(plan->nodes[2].job_count, 0);
	assert_int_equal(plan->nodes[3].first_deferred_pfn, UINT64_MAX);
	assert_int_equal(plan->nodes[0].early_pages, S);
	assert_int_equal(plan->nodes[1].early_pages, 2 * S);
}

/* All RAM above the border is reserved: nothing deferred, and it is said so. */
static void reserved_frames_are_never_deferred(void **state)
{
	(void)state;
	hand_ram(&topology, 0, 5 * S, 0);
	reserve(S, 9 * S);
	build();
	assert_int_equal(plan->nodes[0].first_deferred_pfn, UINT64_MAX);
	assert_int_equal(plan->deferred_pages, 0);
	assert_int_equal(plan->visit_count, 0);
	assert_int_equal(plan->early_pages, 5 * S);
	assert_int_equal(plan->nodes[0].reserved_pages, 4 * S);
}

/*	sections     |   10  |   11  |   12  |   13  |
 *	RAM, node 0   [  a          ]....[ b         )
 *	RAM, node 1                   [c)              */
static void holes_go_to_the_next_ram_of_their_section(void **state)
{
	(void)state;
	hand_ram(&topology, 10 * S + 10, 12 * S - 50, 0);
	hand_ram(&topology, 12 * S + 20, 12 * S + 30, 1);
	hand_ram(&topology, 12 * S + 100, 14 * S - 7, 0);
	build();
	check_span(0, 10 * S, 10 * S + 10, 0, FRAME_HOLE, false);
	check_span(1, 10 * S + 10, 12 * S - 50, 0, FRAME_FREE, false);
	check_span(2, 12 * S - 50, 12 * S, 0, FRAME_HOLE, false);
	check_span(3, 12 * S, 12 * S + 20, 1, FRAME_HOLE, false);
	check_span(4, 12 * S + 20, 12 * S + 30, 1, FRAME_FREE, false);
	check_span(5, 12 * S + 30, 12 * S + 100, 0, FRAME_HOLE, false);
	check_span(6, 12 * S + 100, 14 * S - 7, 0, FRAME_FREE, true);
	check_span(7, 14 * S - 7, 14 * S, 0, FRAME_HOLE, false);
	assert_int_equal(plan->span_count, 8);
}

/*	sections  |   1   |   2   |   3   |   4   |   5   |   6   |
 *	free       [early) [ a   )[b)[c       )[d)         [ e    )
 *	windows            [      |   [ c         |        [ e    |      b in a's, d in c's */
static void windows_end_on_section_borders(void **state)
{
	(void)state;
	hand_ram(&topology, S, 5 * S, 0);
	hand_ram(&topology, 6 * S + 10, 7 * S, 0);
	reserve(2 * S, 2 * S + 100);
	reserve(2 * S + 30000, 2 * S + 30001);
	reserve(2 * S + 32000, 2 * S + 32600);
	reserve(4 * S + 5000, 4 * S + 5001);
	build();
	assert_int_equal(plan->job_count, 3);
	check_job(0, 0, 2 * S + 100, 3 * S);
	check_job(1, 0, 3 * S, 5 * S);
	check_job(2, 0, 6 * S + 10, 7 * S);
	assert_int_equal(plan->nodes[0].first_job, 0);
	assert_int_equal(plan->nodes[0].job_count, 3);
}

/* Two nodes share a section: each has a window there. Node 1 lies below node 0. */
static void descending_nodes_that_share_a_section(void **state)
{
	(void)state;
	hand_ram(&topology, 40 * S, 44 * S + 1000, 1);
	hand_ram(&topology, 44 * S + 1000, 50 * S, 0);
	hand_cpus(&topology, 1, 2);
	build();
	assert_int_equal(plan->job_count, 2);
	check_job(0, 0, 46 * S, 50 * S);
	check_job(1, 1, 41 * S, 45 * S);
	assert_int_equal(plan->nodes[1].first_job, 1);
	assert_int_equal(plan->jobs[1].max_workers, 2);
	check_span(1, 41 * S, 44 * S + 1000, 1, FRAME_FREE, true);
	check_span(2, 44 * S + 1000, 46 * S, 0, FRAME_FREE, false);
}

/* A free range over 4 GiB is two spans, of ZONE_DMA32 and ZONE_NORMAL, and one job. */
static void zone_border_cuts_spans_not_jobs(void **state)
{
	(void)state;
	hand_ram(&topology, 30 * S, 40 * S, 0);
	build();
	check_span(1, 31 * S, 32 * S, 0, FRAME_FREE, true);
	check_span(2, 32 * S, 40 * S, 0, FRAME_FREE, true);
	assert_int_equal(plan->job_count, 1);
	check_job(0, 0, 31 * S, 40 * S);
}

/* B18: no minimum chunk means a section; another one is taken as it is. */
static void minimum_chunk(void **state)
{
	(void)state;
	hand_ram(&topology, 0, 9 * S, 0);
	build();
	assert_int_equal(plan->jobs[0].min_chunk_pages, S);
	rules.min_chunk_pages = 3 * S;
	build();
	assert_int_equal(plan->jobs[0].min_chunk_pages, 3 * S);
}

/* B17: a thousand ranges, and a reservation in each. */
static void a_thousand_regions(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		hand_ram(&topology, 4096 + i * 300, 4096 + i * 300 + 200, 0);
		reserve(4096 + i * 300 + 50, 4096 + i * 300 + 60);
	}
	build();
	assert_int_equal(plan->nodes[0].free_pages, 190 * 1000);
	assert_int_equal(plan->nodes[0].reserved_pages, 10 * 1000);
	assert_int_equal(plan->total_pages, plan->early_pages + plan->deferred_pages);
}

/* The most spans that ranges and reservations can make: a hole on either side of every range, two
 * pieces more for every reservation. */
static void bounds_are_enough(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		hand_ram(&topology, (2 * i + 40) * S + 10, (2 * i + 40) * S + 20, i % 4);
	build();
	assert_int_equal(plan->span_count, 300);
	hand_nodes(&topology, 1);
	hand_ram(&topology, 0, 3 * S, 0);
	for (uint64_t i = 0; i < 100; i++)
		reserve(i * 900 + 100, i * 900 + 200);
	build();
	assert_int_equal(plan->span_count, 2 * 100 + 1 + 2);
	assert_int_equal(plan->job_count, 2);
}

static void full_arrays_are_said(void **state)
{
	struct init_plan *own = &hand.plan;
	uint64_t spans;
	uint32_t jobs, visits;

	(void)state;
	hand_ram(&topology, 0, 9 * S, 0);
	hand_ram(&topology, 20 * S, 29 * S, 1);
	hand_adopt(&topology, 1, 0);
	build();
	spans = own->span_count;
	jobs = own->job_count;
	visits = own->visit_count;
	for (int which = 0; which < 4; which++) {
		own->span_capacity = spans - (which == 1);
		own->job_capacity = jobs - (which == 2);
		own->visit_capacity = visits - (which == 3);
		assert_int_equal(init_plan_build(own, &topology, &hand.memmap, &reserved, &rules),
				 which == 0);
	}
}

/* ---- random machines against a model of every frame ---- */

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

	for (uint32_t n = 0; n < NODES; n++)
		m.first_deferred[n] = UINT64_MAX;
	for (uint64_t f = 0; f < FRAMES; f++) {
		for (uint32_t n = 0; f % S == 0 && n < NODES; n++)
			if (below[n] >= S && m.first_deferred[n] == UINT64_MAX)
				m.first_deferred[n] = f;
		if (m.kind[f] != FRAME_HOLE)
			below[m.node[f]]++;
		if (m.kind[f] == FRAME_FREE)
			m.deferred[f] = f >= m.first_deferred[m.node[f]];
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
		assert_false(m.first_deferred[span->node] > start &&
			     m.first_deferred[span->node] < end);
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

static void check_jobs(void)
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
		model_first_deferred();
		model_holes();
		build();
		check_spans();
		check_jobs();
		check_sums();
	}
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_pc_of_one_node),
		TEST(first_deferred_is_the_first_border_with_a_section_below),
		TEST(reserved_frames_are_never_deferred),
		TEST(holes_go_to_the_next_ram_of_their_section),
		TEST(windows_end_on_section_borders),
		TEST(descending_nodes_that_share_a_section),
		TEST(zone_border_cuts_spans_not_jobs),
		TEST(minimum_chunk),
		TEST(a_thousand_regions),
		TEST(bounds_are_enough),
		TEST(full_arrays_are_said),
		TEST(agrees_with_a_model_of_every_frame),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
