/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One machine, its reservations and its plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/hand_plan.h"
#include "tests/host/hand_topology.h"

#define S SECTION_PAGES

static struct topology topology;
static struct range storage[4096];
static struct range_list reserved;
static struct hand_plan hand;
static const struct init_plan *plan = &hand.plan;
static struct init_rules rules;

static inline int clear(void **state)
{
	(void)state;
	range_list_init(&reserved, storage, 4096);
	hand_nodes(&topology, 4);
	hand_cpus(&topology, 0, 4);
	rules = (struct init_rules){ .policy = POLICY_PADATA };
	return 0;
}

static inline int release(void **state)
{
	(void)state;
	hand_plan_free(&hand);
	return 0;
}

static inline void build(void)
{
	assert_true(hand_plan_build(&hand, &topology, &reserved, &rules));
}

static inline void reserve(uint64_t start_pfn, uint64_t end_pfn)
{
	assert_true(range_list_add(&reserved, start_pfn, end_pfn));
}

static inline void check_job(uint32_t i, uint32_t node, uint64_t start_pfn, uint64_t end_pfn)
{
	assert_true(i < plan->job_count);
	assert_int_equal(plan->jobs[i].node, node);
	assert_int_equal(plan->jobs[i].job.start, start_pfn);
	assert_int_equal(plan->jobs[i].job.start + plan->jobs[i].job.size, end_pfn);
	assert_int_equal(plan->jobs[i].job.align, S); /* unless a smaller chunk is asked for */
}
