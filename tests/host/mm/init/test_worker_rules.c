/* SPDX-License-Identifier: GPL-2.0-only */
/* The published examples of how many workers a node gets, and what firmware can leave out or get
 * wrong on the way to them. */
#include "mm/init/worker_rules.h"
#include "mm/init/worker_rules_share.h"
#include "mm/machine/topology_distance.h"
#include "mm/machine/topology_parts.h"
#include "tests/host/hand_topology.h"
#include "tests/host/hmat_build.h"

static struct topology topology;
static struct hmat_facts hmat;
static struct anomaly_log notes;
static struct acpi_table table; /* the facts point into it */
static struct worker_facts facts;
static uint32_t measured[NODE_MAX];
static struct worker_curve curves[NODE_MAX];

/* Two nodes of 1 GiB, 8 cores with two threads each. */
static int clear(void **state)
{
	(void)state;
	hand_nodes(&topology, 2);
	hand_ram(&topology, 0, 1 << 18, 0);
	hand_ram(&topology, 1 << 18, 2 << 18, 1);
	hand_cpus(&topology, 0, 16);
	hand_cpus(&topology, 1, 16);
	for (uint32_t i = 0; i < 32; i++)
		topology.cpus[i].core = i / 16 * 8 + i % 8;
	topology.nodes[0].pxm = 1; /* as in hmat_build.h */
	topology.nodes[1].pxm = 4;
	memset(&hmat, 0, sizeof(hmat));
	memset(curves, 0, sizeof(curves));
	memset(measured, 0, sizeof(measured));
	facts = (struct worker_facts){ .topology = &topology, .hmat = &hmat, .core_mbps = 11200,
				       .measured_mbps = measured, .curves = curves };
	return 0;
}

static int release(void **state)
{
	(void)state;
	exact_free(&table);
	table = (struct acpi_table){ 0 };
	return 0;
}

static void join_hmat(struct build *b)
{
	struct topology_input input = { .hmat = &hmat };

	build_close(b);
	exact_free(&table);
	table = exact_copy(b->bytes, b->length);
	build_free(b);
	notes = (struct anomaly_log){ 0 };
	assert_true(hmat_parse(&table, &hmat, &notes));
	topology.bandwidth_from_hmat = false;
	topology_join_distances(&topology, &input);
}

/* Rows are the initiators 4 and 1, columns the targets 1, 0x10000, 4. */
static void write_matrix(uint8_t revision, uint64_t base, const uint16_t entries[6])
{
	struct build b;

	hmat_begin(&b, revision);
	add_matrix(&b, 0, HMAT_WRITE_BANDWIDTH, base, entries);
	join_hmat(&b);
}

static uint32_t count(enum worker_rule rule, uint32_t node)
{
	return worker_rules_count(&facts, rule, node).workers;
}

static void assert_falls_back(uint32_t node, enum worker_rule used, const char *reason)
{
	struct worker_count c = worker_rules_count(&facts, RULE_HMAT, node);

	assert_int_equal(c.used, used);
	assert_non_null(c.reason);
	assert_string_equal(c.reason, reason);
	assert_int_equal(c.workers, used == RULE_CORES ? 8 : 2);
}

static void cpus_and_cores(void **state)
{
	(void)state;
	assert_int_equal(count(RULE_QUARTER, 0), 4);
	assert_int_equal(count(RULE_ALL, 0), 16);
	assert_int_equal(count(RULE_CORES, 0), 8);
	topology.cpus[0].online = false; /* its sibling is still there */
	assert_int_equal(count(RULE_QUARTER, 0), 4);
	assert_int_equal(count(RULE_ALL, 0), 15);
	assert_int_equal(count(RULE_CORES, 0), 8);
	topology.cpus[8].online = false;
	topology.cpus[1].online = false;
	topology.cpus[2].online = false;
	assert_int_equal(count(RULE_QUARTER, 0), 3);
	assert_int_equal(count(RULE_CORES, 0), 7);
	assert_int_equal(count(RULE_CORES, 1), 8);
}

/* "68 GB/s / 11.2 GB/s = 6 cores" [Elliott on ktask, 2018] */
static void the_published_example(void **state)
{
	struct worker_count c;

	(void)state;
	write_matrix(2, 100, (const uint16_t[]){ 300, 0, 680, 680, 0, 300 });
	c = worker_rules_count(&facts, RULE_HMAT, 0);
	assert_int_equal(c.workers, 6);
	assert_null(c.reason);
	assert_int_equal(c.used, RULE_HMAT);
	assert_int_equal(c.initiator, 0);
	assert_int_equal(c.node_mbps, 68000);
	assert_int_equal(c.core_mbps, 11200);
	assert_int_equal(count(RULE_HMAT, 1), 6);
}

static void rounded_to_nearest_within_bounds(void **state)
{
	(void)state;
	facts.core_mbps = 1000;
	write_matrix(2, 1, (const uint16_t[]){ 0, 0, 2500, 2499, 0, 0 });
	assert_int_equal(count(RULE_HMAT, 0), 2);
	assert_int_equal(count(RULE_HMAT, 1), 3);
	write_matrix(2, 1, (const uint16_t[]){ 0, 0, 65000, 1, 0, 0 });
	assert_int_equal(count(RULE_HMAT, 0), 1);
	assert_int_equal(count(RULE_HMAT, 1), 8); /* physical cores, not CPUs */
	facts.core_mbps = UINT32_MAX;
	assert_int_equal(count(RULE_HMAT, 1), 1);
	facts.core_mbps = 1;
	topology.bandwidth[0][0].write_mbps = UINT32_MAX;
	assert_int_equal(count(RULE_HMAT, 0), 8);
}

static void the_users_figure_goes_before_the_measured_one(void **state)
{
	(void)state;
	measured[0] = 34000;
	write_matrix(2, 100, (const uint16_t[]){ 0, 0, 680, 680, 0, 0 });
	assert_int_equal(count(RULE_HMAT, 0), 6);
	facts.core_mbps = 0;
	assert_int_equal(count(RULE_HMAT, 0), 2);
	assert_falls_back(1, RULE_CORES, "what one core writes could not be measured");
	facts.measured_mbps = NULL;
	assert_falls_back(0, RULE_CORES, "what one core writes could not be measured");
}

/* Revision 1 counts in tenths: the same entries give a tenth of the bandwidth. */
static void units_of_revision_1(void **state)
{
	(void)state;
	write_matrix(1, 1000, (const uint16_t[]){ 0, 0, 336, 680, 0, 0 });
	assert_int_equal(worker_rules_count(&facts, RULE_HMAT, 0).node_mbps, 68000);
	assert_int_equal(count(RULE_HMAT, 0), 6);
	assert_int_equal(count(RULE_HMAT, 1), 3);
}

static void access_where_write_is_absent(void **state)
{
	struct build b;

	(void)state;
	hmat_begin(&b, 2);
	add_matrix(&b, 0, HMAT_ACCESS_BANDWIDTH, 100, (const uint16_t[]){ 0, 0, 224, 680, 0, 0 });
	add_matrix(&b, 0, HMAT_WRITE_BANDWIDTH, 100, (const uint16_t[]){ 0, 0, 448, 0, 0, 0 });
	join_hmat(&b);
	assert_int_equal(count(RULE_HMAT, 0), 6);
	assert_int_equal(count(RULE_HMAT, 1), 4);
	hmat_begin(&b, 2); /* reads say nothing of writes */
	add_matrix(&b, 0, HMAT_READ_BANDWIDTH, 100, (const uint16_t[]){ 1, 1, 680, 680, 1, 1 });
	join_hmat(&b);
	assert_falls_back(0, RULE_CORES, "the HMAT has no write bandwidth for this memory");
}

static void no_data(void **state)
{
	(void)state;
	assert_falls_back(0, RULE_CORES, "no HMAT, or one without a figure");
	write_matrix(2, 100, (const uint16_t[]){ 0, 680, 680, 0, 680, 0xffff });
	assert_falls_back(0, RULE_CORES, "the HMAT has no write bandwidth for this memory");
	assert_int_equal(count(RULE_HMAT, 1), 6);
	write_matrix(2, 100, (const uint16_t[]){ 0xffff, 680, 680, 0xffff, 680, 0 });
	assert_falls_back(0, RULE_CORES, "the HMAT has no write bandwidth for this memory");
	curves[0] = (struct worker_curve){ { { 1, 200 }, { 2, 100 }, { 4, 99 } }, 3, true };
	assert_falls_back(0, RULE_CALIBRATED, "the HMAT has no write bandwidth for this memory");
}

/* Without a figure for its own CPUs a node goes by who writes to it fastest. */
static void local_pair_missing(void **state)
{
	struct worker_count c;

	(void)state;
	write_matrix(2, 100, (const uint16_t[]){ 336, 0, 680, 0, 0, 100 });
	c = worker_rules_count(&facts, RULE_HMAT, 0);
	assert_int_equal(c.workers, 3);
	assert_int_equal(c.initiator, 1);
	assert_null(c.reason);
	for (uint32_t i = 16; i < 32; i++) /* nobody there to write */
		topology.cpus[i].online = false;
	assert_falls_back(0, RULE_CORES, "the HMAT has no write bandwidth for this memory");
	write_matrix(2, 100, (const uint16_t[]){ 0, 0, 680, 336, 0, 0 });
	c = worker_rules_count(&facts, RULE_HMAT, 1);
	assert_int_equal(c.initiator, NODE_NONE); /* its own CPUs are gone */
	assert_int_equal(c.used, RULE_CORES);
}

/* Node 2 has RAM but no CPUs, node 3 CPUs but no RAM. */
static void add_two_odd_nodes(void)
{
	topology.node_count = 4;
	topology.nodes[2] = (struct node){ .pxm = 0x10000, .adopter = 0, .adopted = true };
	topology.nodes[3] = (struct node){ .pxm = 9, .adopter = NODE_NONE };
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t j = 0; j < 4; j++)
			topology.distance[i][j] = i == j ? 10 : 20;
	hand_ram(&topology, 2 << 18, 3 << 18, 2);
	hand_cpus(&topology, 3, 4);
}

static void initiators_by_type_0_records(void **state)
{
	struct build b;

	(void)state;
	add_two_odd_nodes();
	hmat_begin(&b, 2);
	add_matrix(&b, 0, HMAT_WRITE_BANDWIDTH, 100, (const uint16_t[]){ 0, 224, 0, 0, 448, 0 });
	join_hmat(&b);
	assert_int_equal(worker_rules_count(&facts, RULE_HMAT, 2).initiator, 0);
	assert_int_equal(count(RULE_HMAT, 2), 4);
	hmat_begin(&b, 2); /* the slower of the two is the one attached */
	add_proximity(&b, 1, 4, 0x10000);
	add_proximity(&b, 1, 77, 0x10000);   /* no node */
	add_proximity(&b, 0, 1, 0x10000);    /* no initiator named */
	add_proximity(&b, 1, 1, 4);          /* of other memory */
	add_matrix(&b, 0, HMAT_WRITE_BANDWIDTH, 100, (const uint16_t[]){ 0, 224, 0, 0, 448, 0 });
	join_hmat(&b);
	assert_int_equal(worker_rules_count(&facts, RULE_HMAT, 2).initiator, 1);
	assert_int_equal(count(RULE_HMAT, 2), 2);
	hmat_begin(&b, 2); /* several: the best of them */
	add_proximity(&b, 1, 4, 0x10000);
	add_proximity(&b, 1, 1, 0x10000);
	add_matrix(&b, 0, HMAT_WRITE_BANDWIDTH, 100, (const uint16_t[]){ 0, 224, 0, 0, 448, 0 });
	join_hmat(&b);
	assert_int_equal(worker_rules_count(&facts, RULE_HMAT, 2).initiator, 0);
}

static void a_node_of_cpus_alone_can_be_an_initiator(void **state)
{
	struct worker_count c;

	(void)state;
	add_two_odd_nodes();
	topology.bandwidth_from_hmat = true;
	topology.bandwidth[3][2].write_mbps = 33600;
	topology.bandwidth[0][2].write_mbps = 22400;
	c = worker_rules_count(&facts, RULE_HMAT, 2);
	assert_int_equal(c.initiator, 3);
	assert_int_equal(c.workers, 3);
	c = worker_rules_count(&facts, RULE_HMAT, 3);
	assert_int_equal(c.workers, 0);
	assert_string_equal(c.reason, "the node has no RAM");
}

static void nobody_to_work(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < topology.cpu_count; i++)
		topology.cpus[i].online = false;
	for (int rule = 0; rule < RULE_COUNT; rule++) {
		struct worker_count c = worker_rules_count(&facts, (enum worker_rule)rule, 1);

		assert_int_equal(c.workers, 0);
		assert_string_equal(c.reason, "no CPU is online");
	}
}

static uint32_t knee(struct worker_curve curve)
{
	return worker_curve_knee(&curve);
}

static void the_knee_of_a_curve(void **state)
{
	(void)state;
	assert_int_equal(knee((struct worker_curve){ .complete = true }), 0);
	assert_int_equal(knee((struct worker_curve){ { { 1, 5 } }, 1, true }), 1);
	/* not monotonic, as published: 105 is within 5 % of 100, 106 is not */
	assert_int_equal(knee((struct worker_curve){
		{ { 1, 400 }, { 2, 106 }, { 4, 105 }, { 8, 120 }, { 16, 100 } }, 5, true }), 4);
	assert_int_equal(knee((struct worker_curve){
		{ { 1, 400 }, { 2, 200 }, { 4, 100 } }, 3, true }), 4);
	/* the time was over: still falling, or not */
	assert_int_equal(knee((struct worker_curve){
		{ { 1, 400 }, { 2, 200 }, { 4, 100 } }, 3, false }), 0);
	assert_int_equal(knee((struct worker_curve){
		{ { 1, 400 }, { 2, 200 }, { 4, 210 } }, 3, false }), 2);
	assert_int_equal(knee((struct worker_curve){
		{ { 1, UINT64_MAX }, { 2, UINT64_MAX - 1 } }, 2, true }), 1);
}

static void calibrated_and_its_fall_back(void **state)
{
	struct worker_count c = worker_rules_count(&facts, RULE_CALIBRATED, 0);

	(void)state;
	assert_int_equal(c.workers, 8);
	assert_int_equal(c.used, RULE_CORES);
	assert_string_equal(c.reason, "no curve was measured, the calibration says why");
	curves[0] = (struct worker_curve){ { { 1, 400 }, { 2, 200 } }, 2, false };
	c = worker_rules_count(&facts, RULE_CALIBRATED, 0);
	assert_int_equal(c.workers, 8);
	assert_string_equal(c.reason,
			    "more workers still helped when the time to measure was over");
	curves[0] = (struct worker_curve){ { { 1, 400 }, { 12, 200 } }, 2, true };
	c = worker_rules_count(&facts, RULE_CALIBRATED, 0);
	assert_int_equal(c.workers, 12); /* siblings helped */
	assert_null(c.reason);
	topology.cpus[3].online = topology.cpus[4].online = false; /* fewer since */
	topology.cpus[5].online = topology.cpus[6].online = topology.cpus[7].online = false;
	assert_int_equal(count(RULE_CALIBRATED, 0), 11);
}

static void auto_shares_by_bandwidth(void **state)
{
	(void)state;
	add_two_odd_nodes();
	curves[0] = (struct worker_curve){ { { 1, 400 }, { 6, 200 } }, 2, true };
	assert_int_equal(count(RULE_AUTO, 0), 6);
	assert_int_equal(count(RULE_AUTO, 2), 6); /* nothing known: as at its server */
	assert_int_equal(count(RULE_CALIBRATED, 2), 6);
	curves[2] = (struct worker_curve){ { { 1, 400 }, { 3, 200 } }, 2, true };
	assert_int_equal(count(RULE_CALIBRATED, 2), 3);
	curves[2].count = 0;
	topology.bandwidth[0][0].write_mbps = 176100; /* Sapphire Rapids with CXL memory */
	topology.bandwidth[0][2].write_mbps = 30000;
	assert_int_equal(count(RULE_AUTO, 2), 1);
	topology.bandwidth[0][2].write_mbps = 98300;
	assert_int_equal(count(RULE_AUTO, 2), 3);
	topology.bandwidth[0][2].write_mbps = UINT32_MAX;
	assert_int_equal(count(RULE_AUTO, 2), 16);
	assert_int_equal(count(RULE_AUTO, 0), 6);
}

/* The whole count goes by the best of the nearest, in units of what the adopter's cores write. */
static void the_best_of_the_nearest_says_how_many(void **state)
{
	(void)state;
	add_two_odd_nodes();
	curves[0] = (struct worker_curve){ { { 1, 400 }, { 6, 200 } }, 2, true };
	topology.bandwidth[0][0].write_mbps = 60000;
	topology.bandwidth[0][2].write_mbps = 10000;
	topology.bandwidth[1][2].write_mbps = 30000;
	assert_int_equal(count(RULE_AUTO, 2), 3);
	topology.distance[1][2] = 21; /* further: does not count */
	assert_int_equal(count(RULE_AUTO, 2), 1);
	topology.distance[1][2] = 20;
	topology.nodes[2].adopter = 3; /* smaller than node 1, whose CPUs count, too */
	topology.bandwidth[3][3].write_mbps = 1000;
	assert_int_equal(count(RULE_AUTO, 2), 16);
}

static void assert_lent(uint32_t workers, uint32_t a, uint32_t b, uint32_t c)
{
	uint16_t working[NODE_MAX] = { 16, 16, 0, 4 }, lent[NODE_MAX];

	worker_split(&topology, working, 2, workers, lent);
	assert_int_equal(lent[0], a);
	assert_int_equal(lent[1], b);
	assert_int_equal(lent[2], 0);
	assert_int_equal(lent[3], c);
}

static void shares_by_the_largest_remainder(void **state)
{
	(void)state;
	add_two_odd_nodes();
	assert_lent(1, 1, 0, 0); /* nothing known: equal shares */
	assert_lent(5, 2, 2, 1);
	assert_lent(36, 16, 16, 4); /* no more than there are */
	assert_lent(18, 7, 7, 4);
	topology.bandwidth[0][2].write_mbps = 1000;
	topology.bandwidth[1][2].write_mbps = 3000;
	assert_lent(6, 2, 2, 2); /* one has no figure */
	topology.distance[3][2] = 30;
	assert_lent(4, 1, 3, 0);
	assert_lent(6, 2, 4, 0);  /* 1.5 and 4.5: of equal ones the lower node */
	assert_lent(7, 2, 5, 0);  /* 1.75, 5.25 */
	assert_lent(1, 0, 1, 0);
	assert_lent(24, 8, 16, 0); /* 6 and 18 */
	topology.distance[3][2] = 20;
	topology.bandwidth[3][2].write_mbps = UINT32_MAX;
	assert_lent(5, 0, 1, 4);
	assert_lent(UINT32_MAX, 16, 16, 4);
}

static void whoever_is_nearest_works(void **state)
{
	uint16_t working[NODE_MAX] = { 2, 3, 0, 4 }, lent[NODE_MAX];
	bool near[NODE_MAX];

	(void)state;
	add_two_odd_nodes();
	assert_int_equal(worker_nearest(&topology, working, 2, near), 4);
	assert_true(near[0] && near[1] && !near[2] && near[3]);
	topology.distance[0][1] = 10; /* as near as itself, says a strange SLIT */
	assert_int_equal(worker_nearest(&topology, working, 1, near), 3);
	assert_true(!near[0] && near[1] && !near[2] && !near[3]);
	worker_split(&topology, working, 1, 3, lent);
	assert_true(!lent[0] && lent[1] == 3 && !lent[3]);
	memset(working, 0, sizeof(working));
	assert_int_equal(worker_nearest(&topology, working, 2, near), 0);
	assert_false(near[0] || near[1] || near[2] || near[3]);
	worker_split(&topology, working, 2, 3, lent);
	assert_true(!lent[0] && !lent[1] && !lent[2] && !lent[3]);
}

static void counts_of_a_ladder(void **state)
{
	static const uint32_t ladder[] = { 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96 };

	(void)state;
	for (uint32_t i = 1; i < sizeof(ladder) / sizeof(ladder[0]); i++)
		assert_int_equal(worker_count_next(ladder[i - 1]), ladder[i]);
	for (int rule = 0; rule < RULE_COUNT; rule++)
		assert_true(worker_rule_name((enum worker_rule)rule)[0]);
}

/* RAM whose own CPUs are all offline is served by others' as well; without RAM nothing is. */
static void nodes_that_share_cpus(void **state)
{
	(void)state;
	assert_false(worker_nodes_share_cpus(&topology));
	for (uint32_t i = 16; i < 32; i++)
		topology.cpus[i].online = false;
	assert_true(worker_nodes_share_cpus(&topology));
	topology.nodes[1].pages = 0;
	assert_false(worker_nodes_share_cpus(&topology));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(cpus_and_cores, clear),
		cmocka_unit_test_setup(the_published_example, clear),
		cmocka_unit_test_setup(rounded_to_nearest_within_bounds, clear),
		cmocka_unit_test_setup(the_users_figure_goes_before_the_measured_one, clear),
		cmocka_unit_test_setup(units_of_revision_1, clear),
		cmocka_unit_test_setup(access_where_write_is_absent, clear),
		cmocka_unit_test_setup(no_data, clear),
		cmocka_unit_test_setup(local_pair_missing, clear),
		cmocka_unit_test_setup(initiators_by_type_0_records, clear),
		cmocka_unit_test_setup(a_node_of_cpus_alone_can_be_an_initiator, clear),
		cmocka_unit_test_setup(nobody_to_work, clear),
		cmocka_unit_test_setup(the_knee_of_a_curve, clear),
		cmocka_unit_test_setup(calibrated_and_its_fall_back, clear),
		cmocka_unit_test_setup(auto_shares_by_bandwidth, clear),
		cmocka_unit_test_setup(the_best_of_the_nearest_says_how_many, clear),
		cmocka_unit_test_setup(shares_by_the_largest_remainder, clear),
		cmocka_unit_test_setup(whoever_is_nearest_works, clear),
		cmocka_unit_test_setup(nodes_that_share_cpus, clear),
		cmocka_unit_test(counts_of_a_ladder),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
