/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/hand_plan.h"
#include "tests/host/hand_topology.h"
#include "tests/host/random.h"

#define S SECTION_PAGES

static struct topology topology;
static struct range_list reserved;
static struct hand_plan hand;
static const struct init_plan *plan = &hand.plan;
static struct init_rules rules;
static uint64_t seed, ram_end;

static int clear(void **state)
{
	(void)state;
	hand_nodes(&topology, 6);
	rules = (struct init_rules){ .policy = POLICY_PADATA };
	ram_end = 32 * S; /* all of it ZONE_NORMAL */
	return 0;
}

static int release(void **state)
{
	(void)state;
	hand_plan_free(&hand);
	return 0;
}

/* A node with that many deferred sections. */
static void add_node(uint32_t node, uint64_t deferred_sections)
{
	hand_ram(&topology, ram_end, ram_end + (deferred_sections + 1) * S, node);
	ram_end += (deferred_sections + 2) * S;
}

static void build(void)
{
	assert_true(hand_plan_build(&hand, &topology, &reserved, &rules));
}

/* All visits as "cpu:node.rank node.rank ..." in order, for a comparison at a glance. */
static void check_visits(const char *expected)
{
	char text[512] = "";

	for (uint32_t i = 0; i < plan->visit_count; i++) {
		const struct init_visit *visit = &plan->visits[i];
		size_t length = strlen(text);

		if (i == 0 || visit[-1].cpu != visit->cpu)
			snprintf(text + length, sizeof(text) - length, "%s%u:", i ? " | " : "",
				 visit->cpu);
		length = strlen(text);
		snprintf(text + length, sizeof(text) - length, " %u.%u", visit->node, visit->rank);
	}
	assert_string_equal(text, expected);
}

static void all_cpus_of_each_node(void **state)
{
	(void)state;
	hand_cpus(&topology, 0, 2);
	hand_cpus(&topology, 1, 1);
	hand_cpus(&topology, 0, 1);
	hand_cpus(&topology, 2, 1); /* without RAM: does nothing */
	add_node(1, 4);
	add_node(0, 4);
	topology.distance[0][1] = 10; /* as near as itself, says a strange SLIT */
	build();
	check_visits("0: 0.0 | 1: 0.1 | 3: 0.2 | 2: 1.0");
	assert_int_equal(plan->nodes[0].worker_count, 3);
	assert_int_equal(plan->nodes[1].worker_count, 1);
	assert_int_equal(plan->nodes[2].worker_count, 0);
	rules.threads = 2;
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 1.0");
	rules.policy = POLICY_NODE;
	build();
	check_visits("0: 0.0 | 2: 1.0");
	assert_int_equal(plan->jobs[0].job.max_workers, 1);
}

/* The drawing in mm/init/plan_visits.c. */
static void cpus_begin_in_proportion(void **state)
{
	(void)state;
	hand_cpus(&topology, 0, 6);
	add_node(0, 18);
	add_node(1, 12);
	add_node(2, 6);
	hand_adopt(&topology, 1, 0);
	hand_adopt(&topology, 2, 0);
	build();
	check_visits("0: 0.0 2.1 1.3 | 1: 0.1 2.2 1.4 | 2: 0.2 2.3 1.5 | "
		     "3: 1.0 0.3 2.4 | 4: 1.1 0.4 2.5 | 5: 2.0 1.2 0.5");
}

static void a_small_node_still_begins_at_once(void **state)
{
	(void)state;
	hand_cpus(&topology, 0, 3);
	add_node(0, 1000);
	add_node(1, 1);
	hand_adopt(&topology, 1, 0);
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 1.0 0.2");
}

static void one_cpu_each_under_policy_node(void **state)
{
	(void)state;
	rules.policy = POLICY_NODE;
	hand_cpus(&topology, 0, 4);
	for (uint32_t node = 0; node < 3; node++) {
		add_node(node, 5 + node);
		if (node)
			hand_adopt(&topology, node, 0);
	}
	build();
	check_visits("0: 0.0 | 1: 1.0 | 2: 2.0");
}

/* Two CPUs for five nodes of 9, 5, 4, 3, 1 sections: 9 + 3 and 5 + 4 + 1. */
static void loads_even_out_where_cpus_are_few(void **state)
{
	static const uint64_t sections[] = { 4, 9, 1, 5, 3 };

	(void)state;
	rules.policy = POLICY_NODE;
	hand_cpus(&topology, 0, 2);
	for (uint32_t node = 0; node < 5; node++) {
		add_node(node, sections[node]);
		if (node)
			hand_adopt(&topology, node, 0);
	}
	build();
	check_visits("0: 1.0 4.0 | 1: 3.0 0.0 2.0");
}

/* Two workers for each of two nodes on four CPUs: none needs to wait for another. */
static void a_limit_leaves_cpus_to_other_nodes(void **state)
{
	(void)state;
	rules.threads = 2;
	hand_cpus(&topology, 0, 5);
	add_node(0, 9);
	add_node(1, 3);
	hand_adopt(&topology, 1, 0);
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 1.0 | 3: 1.1");
}

/* padata starts no thread without a minimum chunk of its own. */
static void no_more_workers_than_minimum_chunks(void **state)
{
	(void)state;
	hand_cpus(&topology, 0, 4);
	add_node(0, 3);
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 0.2");
	assert_int_equal(plan->nodes[0].worker_count, 3);
	assert_int_equal(plan->jobs[0].job.max_workers, 3);
	rules.chunk_pages = 2 * S;
	build();
	check_visits("0: 0.0");
	rules.chunk_pages = S / 2;
	build();
	assert_int_equal(plan->nodes[0].worker_count, 4);
	rules.chunk_pages = 0;
	add_node(1, 1); /* and the CPU to spare begins where it is of use */
	hand_adopt(&topology, 1, 0);
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 0.2 | 3: 1.0");
}

static void the_boot_cpu_alone(void **state)
{
	(void)state;
	rules.policy = POLICY_SERIAL;
	rules.threads = 3;
	hand_cpus(&topology, 1, 3);
	hand_cpus(&topology, 0, 2);
	topology.cpus[0].boot = false;
	topology.cpus[2].boot = true;
	add_node(0, 4);
	add_node(1, 0);
	add_node(3, 9);
	build();
	check_visits("2: 0.0 3.0");
	assert_int_equal(plan->nodes[0].worker_count, 1);
	assert_int_equal(plan->nodes[1].worker_count, 0);
	assert_int_equal(plan->nodes[3].worker_count, 1);
	assert_int_equal(plan->jobs[1].job.max_workers, 1);
}

/* A quarter of the node's CPUs, rounded up; another number when asked for. */
static void a_quarter(void **state)
{
	static const uint32_t quarter[] = { 0, 1, 1, 1, 1, 2, 2, 2, 2, 3 };

	(void)state;
	rules.policy = POLICY_KTASK;
	add_node(0, 40);
	for (uint32_t cpus = 1; cpus < 10; cpus++) {
		hand_cpus(&topology, 0, 1);
		build();
		assert_int_equal(plan->nodes[0].worker_count, quarter[cpus]);
	}
	rules.threads = 7;
	build();
	assert_int_equal(plan->nodes[0].worker_count, 7);
	rules.threads = 100;
	build();
	assert_int_equal(plan->nodes[0].worker_count, 9);
}

/* Policy async: the boot CPU goes on with something else, unless there is nobody else. */
static void in_the_background(void **state)
{
	(void)state;
	rules.policy = POLICY_ASYNC;
	hand_cpus(&topology, 0, 1);
	add_node(0, 4);
	build();
	check_visits("0: 0.0");
	hand_cpus(&topology, 1, 1); /* node 0 has no CPU but the boot CPU left */
	build();
	check_visits("1: 0.0");
	hand_cpus(&topology, 0, 2);
	build();
	check_visits("2: 0.0 | 3: 0.1");
	topology.cpus[1].online = topology.cpus[2].online = topology.cpus[3].online = false;
	build();
	check_visits("0: 0.0");
}

/* Two threads a core: CPUs 0 and 4 of core 0 and so on. An offline CPU leaves its sibling. */
static void one_per_core(void **state)
{
	(void)state;
	rules.policy = POLICY_CORES;
	rules.cores_first = true;
	hand_cpus(&topology, 0, 8);
	for (uint32_t cpu = 0; cpu < 8; cpu++)
		topology.cpus[cpu].core = cpu % 4;
	add_node(0, 20);
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 0.2 | 3: 0.3");
	topology.cpus[1].online = topology.cpus[2].online = topology.cpus[6].online = false;
	build();
	check_visits("0: 0.0 | 3: 0.1 | 5: 0.2");
	rules.threads = 2;
	build();
	assert_int_equal(plan->nodes[0].worker_count, 2);
}

/* Policies whose numbers come from mm/worker_rules: each node's own, at most its CPUs. */
static void as_many_as_given(void **state)
{
	static uint32_t counts[NODE_MAX] = { 2, 100, 1, 0 };

	(void)state;
	rules.policy = POLICY_HMAT;
	rules.cores_first = true;
	hand_cpus(&topology, 0, 4);
	hand_cpus(&topology, 1, 3);
	hand_cpus(&topology, 3, 4);
	for (uint32_t cpu = 0; cpu < 11; cpu++)
		topology.cpus[cpu].core = cpu < 7 ? cpu : 100 + cpu / 2;
	for (uint32_t node = 0; node < 4; node++)
		add_node(node, 20);
	hand_adopt(&topology, 2, 0);
	rules.worker_counts = counts;
	build();
	assert_int_equal(plan->nodes[0].worker_count, 2);
	assert_int_equal(plan->nodes[1].worker_count, 3);
	assert_int_equal(plan->nodes[2].worker_count, 1);
	assert_int_equal(plan->nodes[3].worker_count, 3); /* its cores */
	rules.worker_counts = NULL;
	build();
	assert_int_equal(plan->nodes[3].worker_count, 3);
	rules.threads = 4;
	build();
	assert_int_equal(plan->nodes[3].worker_count, 4);
}

/* Node 2 has no CPUs; node 0 writes to it three times as fast as node 1: of four workers it lends
 * three, and one of its four CPUs begins there, since its part is 6 of 8 sections beside 12. */
static void two_nodes_share_a_third(void **state)
{
	static uint32_t counts[NODE_MAX] = { 4, 4, 4 };

	(void)state;
	hand_cpus(&topology, 0, 4);
	hand_cpus(&topology, 1, 4);
	add_node(0, 12);
	add_node(1, 12);
	add_node(2, 8);
	hand_adopt(&topology, 2, 0);
	topology.bandwidth[0][2].write_mbps = 30000;
	topology.bandwidth[1][2].write_mbps = 10000;
	rules.policy = POLICY_AUTO;
	rules.worker_counts = counts;
	build();
	check_visits("0: 0.0 2.1 | 1: 0.1 2.2 | 2: 0.2 | 3: 2.0 0.3 | "
		     "4: 1.0 | 5: 1.1 | 6: 1.2 | 7: 2.3 1.3");
	assert_int_equal(plan->nodes[2].worker_count, 4);
	assert_int_equal(plan->jobs[2].job.max_workers, 4);
	topology.bandwidth[1][2].write_mbps = 0; /* equal shares of what there is of use */
	rules.threads = 2;
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 2.0 | 4: 1.0 | 5: 1.1 | 6: 2.1");
	rules.threads = 0;
	topology.distance[1][2] = 21; /* no longer as near */
	build();
	check_visits("0: 0.0 2.2 | 1: 0.1 2.3 | 2: 2.0 0.2 | 3: 2.1 0.3 | "
		     "4: 1.0 | 5: 1.1 | 6: 1.2 | 7: 1.3");
	topology.distance[1][2] = 20;
	rules.policy = POLICY_CALIBRATED; /* whose adopter's CPUs do it alone */
	build();
	check_visits("0: 0.0 2.2 | 1: 0.1 2.3 | 2: 2.0 0.2 | 3: 2.1 0.3 | "
		     "4: 1.0 | 5: 1.1 | 6: 1.2 | 7: 1.3");
}

/* A trial on one kind of core. */
static void cpus_of_some_kinds_only(void **state)
{
	(void)state;
	hand_cpus(&topology, 0, 4);
	topology.cpus[1].kind = topology.cpus[3].kind = 1;
	topology.cpus[2].kind = 2;
	add_node(0, 12);
	rules.kinds = 1 << 1;
	build();
	check_visits("1: 0.0 | 3: 0.1");
	rules.kinds = 1 << 2 | 1 << 0;
	build();
	check_visits("0: 0.0 | 2: 0.1");
	rules.kinds = 0;
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 0.2 | 3: 0.3");
}

/* CPUs 0 and 3, 1 and 4 share a core; 2 and 5 are alone on theirs. */
static void cores_before_siblings(void **state)
{
	static const uint32_t cores[] = { 7, 3, 9, 7, 3, 5 };

	(void)state;
	hand_cpus(&topology, 0, 6);
	for (uint32_t cpu = 0; cpu < 6; cpu++)
		topology.cpus[cpu].core = cores[cpu];
	add_node(0, 20);
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 0.2 | 3: 0.3 | 4: 0.4 | 5: 0.5");
	rules.cores_first = true;
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 0.2 | 5: 0.3 | 3: 0.4 | 4: 0.5");
	rules.threads = 4;
	build();
	check_visits("0: 0.0 | 1: 0.1 | 2: 0.2 | 5: 0.3");
	topology.cpus[0].online = false; /* then its sibling stands for the core */
	build();
	check_visits("1: 0.0 | 2: 0.1 | 3: 0.2 | 5: 0.3");
}

/* Node 1's own CPUs did not arrive, node 2's adopter is node 1: node 3 is nearest to both. */
static void cpus_that_did_not_arrive(void **state)
{
	(void)state;
	hand_cpus(&topology, 0, 1);
	hand_cpus(&topology, 1, 2);
	hand_cpus(&topology, 3, 1);
	topology.cpus[1].online = topology.cpus[2].online = false;
	topology.distance[3][1] = topology.distance[3][2] = 15;
	add_node(1, 4);
	add_node(2, 3);
	hand_adopt(&topology, 2, 1);
	build();
	check_visits("3: 1.0 2.0");
	topology.cpus[2].online = true;
	build();
	check_visits("2: 1.0 2.0");
	topology.cpus[2].online = topology.cpus[3].online = topology.cpus[0].online = false;
	build();
	assert_int_equal(plan->visit_count, 0);
	assert_int_equal(plan->nodes[1].worker_count, 0);
}

/* ---- random machines: what must hold whatever the choice ---- */

static uint32_t server(uint32_t node)
{
	uint32_t online[6] = { 0 }, best = NODE_NONE;

	for (uint32_t i = 0; i < topology.cpu_count; i++)
		online[topology.cpus[i].node] += topology.cpus[i].online;
	if (online[node])
		return node;
	if (topology.nodes[node].adopted && online[topology.nodes[node].adopter])
		return topology.nodes[node].adopter;
	for (uint32_t n = 6; n-- > 0;)
		if (online[n] && (best == NODE_NONE ||
				  topology.distance[n][node] <= topology.distance[best][node]))
			best = n;
	return best;
}

static uint32_t online_cpus(uint32_t node)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < topology.cpu_count; i++)
		count += topology.cpus[i].online && topology.cpus[i].node == node;
	return count;
}

static void random_machine(void)
{
	clear(NULL);
	for (uint32_t n = 0; n < 6; n++) {
		if (random_next(&seed) % 2)
			hand_cpus(&topology, n, (uint32_t)(random_next(&seed) % 6));
		if (random_next(&seed) % 4)
			add_node(n, random_next(&seed) % 40);
		for (uint32_t other = 0; other < 6; other++)
			if (other != n)
				topology.distance[n][other] =
					(uint8_t)(11 + random_next(&seed) % 3);
	}
	if (topology.cpu_count == 0)
		hand_cpus(&topology, 5, 1);
	for (uint32_t i = 1; i < topology.cpu_count; i++)
		topology.cpus[i].online = random_next(&seed) % 4 != 0;
	for (uint32_t n = 0; n < 6; n++)
		if (topology.nodes[n].pages && !topology.nodes[n].cpu_count)
			hand_adopt(&topology, n, topology.cpus[topology.cpu_count - 1].node);
	rules.policy = (enum policy)(POLICY_NODE + random_next(&seed) % 4);
	rules.cores_first = random_next(&seed) % 2;
	for (uint32_t i = 0; i < topology.cpu_count; i++)
		topology.cpus[i].core = i / 3 % 4;
	rules.threads = random_next(&seed) % 2 ? 0 : (uint32_t)(random_next(&seed) % 5);
}

/* The node at which `cpu` begins, its visits ascending in rank and in one piece. */
static uint32_t first_visit(uint32_t cpu)
{
	uint32_t first = NODE_NONE, last = 0;

	for (uint32_t i = 0; i < plan->visit_count; i++) {
		if (plan->visits[i].cpu != cpu)
			continue;
		if (first == NODE_NONE) {
			first = plan->visits[i].node;
		} else {
			assert_int_equal(last, i - 1);
			assert_true(plan->visits[last].rank <= plan->visits[i].rank);
		}
		last = i;
	}
	return first;
}

static uint64_t largest_job_sections(uint32_t node)
{
	uint64_t largest = 0;

	for (uint32_t i = 0; i < plan->job_count; i++)
		if (plan->jobs[i].node == node && plan->jobs[i].job.size / S > largest)
			largest = plan->jobs[i].job.size / S;
	return largest;
}

static void check_workers(uint32_t node)
{
	uint32_t from = server(node), cpus = online_cpus(from), wanted = cpus, found = 0;
	bool rank_seen[32] = { false }, cpu_seen[32] = { false };

	if (rules.policy == POLICY_NODE)
		wanted = 1;
	else if (rules.threads)
		wanted = rules.threads < cpus ? rules.threads : cpus;
	else if (rules.policy == POLICY_KTASK)
		wanted = (cpus + 3) / 4;
	if (wanted > largest_job_sections(node)) /* one section is the minimum chunk */
		wanted = largest_job_sections(node) ? (uint32_t)largest_job_sections(node) : 1;
	if (plan->nodes[node].deferred_pages == 0)
		wanted = 0;
	assert_int_equal(plan->nodes[node].worker_count, wanted);
	for (uint32_t i = 0; i < plan->visit_count; i++) {
		const struct init_visit *visit = &plan->visits[i];

		if (visit->node != node)
			continue;
		assert_true(topology.cpus[visit->cpu].online);
		assert_int_equal(topology.cpus[visit->cpu].node, from);
		assert_true(visit->rank < wanted);
		assert_false(rank_seen[visit->rank] || cpu_seen[visit->cpu]);
		rank_seen[visit->rank] = cpu_seen[visit->cpu] = true;
		found++;
	}
	assert_int_equal(found, wanted);
}

/* With enough CPUs every node has some that begin there, those of the lowest ranks; where all CPUs
 * work for all nodes, no CPU that begins elsewhere would be of more use here. */
static void check_beginners(uint32_t from)
{
	bool all = true;
	uint32_t nodes = 0, begin[6] = { 0 };
	uint64_t pages[6];

	for (uint32_t n = 0; n < 6; n++) {
		pages[n] = server(n) == from ? plan->nodes[n].deferred_pages : 0;
		nodes += pages[n] != 0;
		all = all && (!pages[n] || plan->nodes[n].worker_count == online_cpus(from));
	}
	if (nodes == 0 || nodes > online_cpus(from))
		return;
	for (uint32_t i = 0; i < plan->visit_count; i++)
		if (pages[plan->visits[i].node] &&
		    first_visit(plan->visits[i].cpu) == plan->visits[i].node)
			begin[plan->visits[i].node]++;
	for (uint32_t i = 0; i < plan->visit_count; i++)
		if (pages[plan->visits[i].node] &&
		    plan->visits[i].rank < begin[plan->visits[i].node])
			assert_int_equal(first_visit(plan->visits[i].cpu), plan->visits[i].node);
	for (uint32_t a = 0; a < 6; a++) {
		if (!pages[a])
			continue;
		assert_true(begin[a] > 0);
		for (uint32_t b = 0; b < 6; b++)
			if (all && pages[b] && begin[b] > 1)
				assert_true(pages[a] * (begin[b] - 1) <= pages[b] * begin[a]);
	}
}

static void random_machines(void **state)
{
	(void)state;
	seed = 0x853c49e6748fea9b;
	for (int round = 0; round < 3000; round++) {
		random_machine();
		build();
		for (uint32_t node = 0; node < 6; node++) {
			check_workers(node);
			check_beginners(node);
		}
		for (uint32_t cpu = 0; cpu < topology.cpu_count; cpu++)
			first_visit(cpu);
	}
}

/* ---- shared nodes ---- */

static bool lends(uint32_t from, uint32_t node)
{
	uint8_t least = 255;

	if (online_cpus(node))
		return from == node;
	for (uint32_t n = 0; n < 6; n++)
		if (online_cpus(n) && topology.distance[n][node] < least)
			least = topology.distance[n][node];
	return online_cpus(from) && topology.distance[from][node] == least;
}

/* In thousandths of a worker: what is due to `from`, less what it lends. */
static int64_t due(uint32_t from, uint32_t node, uint32_t workers, uint32_t lent)
{
	int64_t sum = 0, own = topology.bandwidth[from][node].write_mbps;
	bool known = true;

	for (uint32_t n = 0; n < 6; n++)
		if (lends(n, node))
			known = known && topology.bandwidth[n][node].write_mbps;
	for (uint32_t n = 0; n < 6; n++)
		if (lends(n, node))
			sum += known ? topology.bandwidth[n][node].write_mbps : 1;
	return ((known ? own : 1) * workers * 1000) / sum - lent * 1000ll;
}

/* Each rank once, on CPUs of nodes that lend; and nobody who has a CPU left has a better claim to
 * a worker than who lends it. */
static void check_shares(uint32_t node)
{
	uint32_t lent[6] = { 0 }, workers = plan->nodes[node].worker_count, found = 0, most = 0;
	bool rank_seen[32] = { false };

	for (uint32_t i = 0; i < plan->visit_count; i++) {
		const struct init_visit *visit = &plan->visits[i];

		if (visit->node != node)
			continue;
		assert_true(visit->rank < workers);
		assert_false(rank_seen[visit->rank]);
		rank_seen[visit->rank] = true;
		lent[topology.cpus[visit->cpu].node]++;
		found++;
	}
	assert_int_equal(found, workers);
	for (uint32_t n = 0; n < 6; n++) {
		assert_true(lends(n, node) || !lent[n]);
		if (lends(n, node) && online_cpus(n) > most)
			most = online_cpus(n);
	}
	assert_int_equal(workers > 0, plan->nodes[node].deferred_pages > 0);
	assert_true(workers <= most);
	for (uint32_t a = 0; a < 6; a++)
		for (uint32_t b = 0; b < 6; b++)
			if (lends(a, node) && lent[a] < online_cpus(a) && lent[b])
				assert_true(due(a, node, workers, lent[a]) <=
					    due(b, node, workers, lent[b] - 1) + 1);
}

static void random_machines_that_share(void **state)
{
	static uint32_t counts[NODE_MAX];

	(void)state;
	seed = 0x2545f4914f6cdd1d;
	for (int round = 0; round < 3000; round++) {
		random_machine();
		rules.policy = POLICY_AUTO;
		rules.worker_counts = counts;
		for (uint32_t a = 0; a < 6; a++) {
			counts[a] = (uint32_t)(random_next(&seed) % 8);
			for (uint32_t b = 0; b < 6; b++)
				topology.bandwidth[a][b].write_mbps =
					(uint32_t)(random_next(&seed) % 40 * 1000);
		}
		build();
		for (uint32_t node = 0; node < 6; node++)
			check_shares(node);
		for (uint32_t i = 1; i < plan->visit_count; i++)
			for (uint32_t j = 0; j + 1 < i; j++)
				assert_true(plan->visits[j].cpu != plan->visits[i].cpu ||
					    plan->visits[i - 1].cpu == plan->visits[i].cpu);
	}
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_cpus_of_each_node),
		TEST(cpus_begin_in_proportion),
		TEST(a_small_node_still_begins_at_once),
		TEST(one_cpu_each_under_policy_node),
		TEST(loads_even_out_where_cpus_are_few),
		TEST(a_limit_leaves_cpus_to_other_nodes),
		TEST(no_more_workers_than_minimum_chunks),
		TEST(the_boot_cpu_alone),
		TEST(a_quarter),
		TEST(in_the_background),
		TEST(one_per_core),
		TEST(as_many_as_given),
		TEST(cores_before_siblings),
		TEST(cpus_that_did_not_arrive),
		TEST(two_nodes_share_a_third),
		TEST(cpus_of_some_kinds_only),
		TEST(random_machines),
		TEST(random_machines_that_share),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
