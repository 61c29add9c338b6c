/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The CPUs of a node stand on a ring, in CPU order or with the first CPU of each core before the
 * cores' siblings, and serve their own node and those that have no CPUs nearer. Each of these nodes
 * has a place on the ring at which its workers begin: the node's worker of rank r is the CPU r
 * places further on. A CPU visits the node in which it has the lowest rank first, so the CPUs from
 * one place to the next begin with the node of the first.
 *
 *	CPU       0   1   2   3   4   5        three nodes, pages 3 : 2 : 1, all CPUs work for all
 *	place     A           B       C
 *	visits    A   A   A   B   B   C        first
 *	          C   C   C   A   A   B        then
 *	          B   B   B   C   C   A
 *
 * A lower rank also finds work first where a job has chunks for fewer workers than there are.
 *
 * Under a policy that shares, a node without CPUs stands on several rings, on each with the workers
 * that these CPUs lend and that part of its pages. Ranks go on from ring to ring.
 */
#include "mm/init/plan_parts.h"

/* Sets worker_count of every node with deferred pages, whose jobs are built, and the visits. False:
 * more than fit. */
bool init_plan_assign(struct init_plan *plan, const struct topology *topology,
		      const struct init_rules *rules);

/* A number of visits that is enough for any set of online CPUs. */
uint32_t init_plan_visit_bound(const struct topology *topology);
