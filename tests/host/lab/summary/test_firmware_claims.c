/* SPDX-License-Identifier: GPL-2.0-only */
/* What firmware claims, judged by what was found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lab/summary/firmware_claims.h"
#include "tests/host/report_machine.h"

static struct node_pair pairs[2];
static struct bandwidth_results found;

static int make(void **state)
{
	(void)state;
	make_lab(2, 16, 64ull << 18, 2000000000);
	lab.topology.bandwidth[0][0] = (struct hmat_pair){ 80, 80, 68000, 68000 };
	lab.topology.bandwidth[0][1] = (struct hmat_pair){ 150, 150, 20000, 20000 };
	lab.topology.bandwidth_from_hmat = lab.topology.distance_from_slit = true;
	lab.topology.distance[0][1] = 20;
	pairs[0] = (struct node_pair){ 0, 0, { 11000, 60000 }, { 9000, 30000 }, 100000 };
	pairs[1] = (struct node_pair){ 0, 1, { 5000, 21000 }, { 4000, 11000 }, 301000 };
	found = (struct bandwidth_results){ .pairs = pairs, .pair_count = 2 };
	return 0;
}

static void assert_claim(uint32_t pair, enum claim_kind kind, uint64_t claimed, uint64_t measured,
			 bool off)
{
	struct pair_claims of = firmware_claims_of(&found, &lab.topology, pair);

	assert_int_equal(of.claims[kind].claimed, claimed);
	assert_int_equal(of.claims[kind].measured, measured);
	assert_true(of.claims[kind].known);
	assert_int_equal(of.claims[kind].off, off);
}

/* Writes: 30 of 68 GB/s; latency 301 of 150 ns; distance 3.01 instead of 2.00. */
static void more_than_twice_is_off(void **state)
{
	(void)state;
	assert_claim(0, CLAIM_READ, 68000, 60000, false);
	assert_claim(0, CLAIM_WRITE, 68000, 30000, true);
	assert_claim(0, CLAIM_LATENCY, 80000, 100000, false);
	assert_claim(1, CLAIM_READ, 20000, 21000, false);
	assert_claim(1, CLAIM_WRITE, 20000, 11000, false);
	assert_claim(1, CLAIM_LATENCY, 150000, 301000, true);
	assert_claim(1, CLAIM_DISTANCE, 2000, 3010, false);
	assert_int_equal(firmware_claims_of(&found, &lab.topology, 0).off, 1);
	assert_int_equal(firmware_claims_of(&found, &lab.topology, 1).off, 1);
}

static void exactly_twice_is_not(void **state)
{
	(void)state;
	pairs[0].write_mbps[BANDWIDTH_ALL_CORES] = 34000;
	pairs[1].latency_ps = 300000;
	assert_claim(0, CLAIM_WRITE, 68000, 34000, false);
	assert_claim(1, CLAIM_LATENCY, 150000, 300000, false);
}

/* A node's own distance, what was not measured, and what is not claimed. */
static void what_is_unknown(void **state)
{
	(void)state;
	assert_false(firmware_claims_of(&found, &lab.topology, 0).claims[CLAIM_DISTANCE].known);
	pairs[0].latency_ps = 0;
	assert_false(firmware_claims_of(&found, &lab.topology, 0).claims[CLAIM_LATENCY].known);
	assert_false(firmware_claims_of(&found, &lab.topology, 1).claims[CLAIM_DISTANCE].known);
	lab.topology.bandwidth[0][0].read_mbps = 0;
	assert_false(firmware_claims_of(&found, &lab.topology, 0).claims[CLAIM_READ].known);
	assert_true(firmware_claims_any(&lab.topology));
	lab.topology.bandwidth_from_hmat = lab.topology.distance_from_slit = false;
	assert_false(firmware_claims_any(&lab.topology));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(more_than_twice_is_off, make),
		cmocka_unit_test_setup(exactly_twice_is_not, make),
		cmocka_unit_test_setup(what_is_unknown, make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
