/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/host/plan_fixture.h"

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
	assert_int_equal(plan->jobs[0].job.max_workers, 2); /* of four CPUs: a section each */
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
	check_span(6, 12 * S + 100, 12 * S + 1024, 0, FRAME_FREE, false); /* 4 MiB with node 1 */
	check_span(7, 12 * S + 1024, 14 * S - 7, 0, FRAME_FREE, true);
	check_span(8, 14 * S - 7, 14 * S, 0, FRAME_HOLE, false);
	assert_int_equal(plan->span_count, 9);
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
	hand_ram(&topology, 40 * S, 44 * S + 5000, 1);
	hand_ram(&topology, 44 * S + 5000, 50 * S, 0);
	hand_cpus(&topology, 1, 2);
	build();
	assert_int_equal(plan->job_count, 2);
	check_job(0, 0, 46 * S, 50 * S);
	check_job(1, 1, 41 * S, 45 * S);
	assert_int_equal(plan->nodes[1].first_job, 1);
	assert_int_equal(plan->jobs[1].job.max_workers, 2);
	check_span(1, 41 * S, 44 * S + 4096, 1, FRAME_FREE, true);
	check_span(2, 44 * S + 4096, 44 * S + 5000, 1, FRAME_FREE, false);
	check_span(3, 44 * S + 5000, 46 * S, 0, FRAME_FREE, false);
	check_span(4, 46 * S, 50 * S, 0, FRAME_FREE, true);
}

/*	blocks    |   0   |   1   |   2   |   3   |   4   |    B8, B19: who frees into a block in
 *	node 0     [         )[  )....[         )              which another node has frames reads
 *	node 1                                   [    )         that node's struct pages
 *	early             |...|           |.......|              block 1 is node 0's alone */
static void blocks_of_two_nodes_are_early(void **state)
{
	const uint64_t at = 50 * S;

	(void)state;
	hand_ram(&topology, 40 * S, 42 * S, 0);
	hand_ram(&topology, 44 * S, 46 * S, 1);
	hand_ram(&topology, at + 10, at + 1500, 0);
	hand_ram(&topology, at + 1600, at + 1700, 0);
	hand_ram(&topology, at + 2000, at + 3500, 0);
	hand_ram(&topology, at + 3500, at + 4200, 1);
	reserve(at + 3600, at + 3700);
	build();
	check_span(4, at, at + 10, 0, FRAME_HOLE, false);
	check_span(5, at + 10, at + 1500, 0, FRAME_FREE, true);
	check_span(7, at + 1600, at + 1700, 0, FRAME_FREE, true);
	check_span(9, at + 2000, at + 3072, 0, FRAME_FREE, true);
	check_span(10, at + 3072, at + 3500, 0, FRAME_FREE, false);
	check_span(11, at + 3500, at + 3600, 1, FRAME_FREE, false);
	check_span(12, at + 3600, at + 3700, 1, FRAME_RESERVED, false);
	check_span(13, at + 3700, at + 4096, 1, FRAME_FREE, false);
	check_span(14, at + 4096, at + 4200, 1, FRAME_FREE, true);
}

/*	sections  | 30 | 31 | 32 | 33 | 34 | .. | 39 |
 *	zones        DMA32  |       NORMAL            |
 *	node 0    [            early      ) deferred  )
 *	node 1 has only DMA32, and of that less than a section below 10 */
static void only_the_highest_zone_is_deferred(void **state)
{
	(void)state;
	hand_ram(&topology, 2000, S + 4095, 1);
	hand_ram(&topology, 8 * S, 10 * S, 1);
	hand_ram(&topology, 30 * S, 40 * S, 0);
	hand_ram(&topology, 50 * S, 51 * S - 1, 2); /* a frame short of a section */
	build();
	assert_int_equal(plan->nodes[0].deferred_zone, ZONE_NORMAL);
	assert_int_equal(plan->nodes[0].first_deferred_pfn, 33 * S);
	assert_int_equal(plan->nodes[1].deferred_zone, ZONE_DMA32);
	assert_int_equal(plan->nodes[1].first_deferred_pfn, 9 * S);
	assert_int_equal(plan->nodes[2].first_deferred_pfn, UINT64_MAX);
	assert_int_equal(plan->job_count, 2);
	check_job(0, 0, 33 * S, 40 * S);
	check_job(1, 1, 9 * S, 10 * S);
}

/* A machine with nothing above 16 MiB has nothing but ZONE_DMA. */
static void a_node_of_little_memory(void **state)
{
	(void)state;
	hand_ram(&topology, 1, 4096, 0);
	build();
	assert_int_equal(plan->nodes[0].deferred_zone, ZONE_DMA);
	assert_int_equal(plan->deferred_pages, 0);
	assert_int_equal(plan->early_pages, S);
}

/* Linux 6.18: from the border to the section end after the last deferred frame, holes and all. */
static void one_job_for_the_whole_zone(void **state)
{
	(void)state;
	rules.policy = POLICY_ZONE;
	hand_ram(&topology, 40 * S, 42 * S, 0);
	hand_ram(&topology, 45 * S + 10, 46 * S, 1);
	hand_ram(&topology, 48 * S, 50 * S + 1, 0);
	reserve(41 * S, 41 * S + 500);
	build();
	assert_int_equal(plan->job_count, 1);
	check_job(0, 0, 41 * S, 51 * S);
}

/* B18: no chunk size means the rules', at least a section; another one is exact. */
static void chunk_sizes(void **state)
{
	(void)state;
	hand_ram(&topology, 32 * S, 41 * S, 0);
	build();
	assert_int_equal(plan->jobs[0].job.min_chunk, S);
	assert_int_equal(plan->jobs[0].job.exact_chunk, 0);
	assert_int_equal(plan->jobs[0].job.split, DISPATCH_DYNAMIC);
	rules.chunk_pages = 4 * S;
	build();
	assert_int_equal(plan->jobs[0].job.exact_chunk, 4 * S);
	assert_int_equal(plan->jobs[0].job.align, S);
	rules.chunk_pages = 1024;
	build();
	assert_int_equal(plan->jobs[0].job.exact_chunk, 1024);
	assert_int_equal(plan->jobs[0].job.align, 1024);
	rules.split = SPLIT_STATIC; /* a chunk is a worker's share, whatever is asked for */
	build();
	assert_int_equal(plan->jobs[0].job.split, DISPATCH_FIXED);
	assert_int_equal(plan->jobs[0].job.exact_chunk, 0);
	assert_int_equal(plan->jobs[0].job.align, S);
}

/* What was grown before the workers start is cut off their windows. */
static void jobs_from_a_border_on(void **state)
{
	const struct init_job job = { .job = { .start = 5 * S + 10, .size = 3 * S - 10 } };
	struct job rest = init_job_from(&job, 2 * S);

	(void)state;
	assert_int_equal(rest.start, 5 * S + 10);
	assert_int_equal(rest.size, 3 * S - 10);
	rest = init_job_from(&job, 6 * S);
	assert_int_equal(rest.start, 6 * S);
	assert_int_equal(rest.size, 2 * S);
	rest = init_job_from(&job, 8 * S);
	assert_int_equal(rest.size, 0);
	rest = init_job_from(&job, UINT64_MAX);
	assert_int_equal(rest.start, 8 * S);
	assert_int_equal(rest.size, 0);
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
	hand_ram(&topology, 0, 4 * S, 0);
	for (uint64_t i = 0; i < 100; i++)
		reserve(i * 900 + 100, i * 900 + 200);
	build();
	assert_int_equal(plan->span_count, 2 * 100 + 1 + 2);
	assert_int_equal(plan->job_count, 2);
	hand_nodes(&topology, 2);
	range_list_init(&reserved, storage, 4096);
	for (uint64_t i = 0; i < 100; i++) /* early at both ends, deferred between, then a hole */
		hand_ram(&topology, 40 * S + i * S + 500, 41 * S + i * S + 490, i % 2);
	build();
	assert_true(plan->span_count > 390);
}

static void full_arrays_are_said(void **state)
{
	struct init_plan *own = &hand.plan;
	uint64_t spans;
	uint32_t jobs, visits;

	(void)state;
	hand_ram(&topology, 1, 9 * S, 0);
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
		TEST(blocks_of_two_nodes_are_early),
		TEST(only_the_highest_zone_is_deferred),
		TEST(a_node_of_little_memory),
		TEST(one_job_for_the_whole_zone),
		TEST(chunk_sizes),
		TEST(jobs_from_a_border_on),
		TEST(a_thousand_regions),
		TEST(bounds_are_enough),
		TEST(full_arrays_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
