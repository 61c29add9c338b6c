/* SPDX-License-Identifier: GPL-2.0-only */
/* The workload `stream` as it is summed up and judged. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "lab/summary/stream_published.h"
#include "lab/summary/stream_verdict.h"
#include "tests/host/stream_results.h"

/* At 1 GHz messages of 1024 bytes, 8192 bits: in 1000 and 3000 ns under order0, in 1000 both times
 * under high; the third repetition has no figure. */
static void figures_by_hand(void **state)
{
	static const uint64_t millicycles[2][3] = { { 1000000, 3000000, 0 },
						    { 1000000, 1000000, 7 } };
	struct stream_summary summary;

	(void)state;
	make_up();
	results.repeat = 3;
	for (uint32_t way = 0; way < 2; way++)
		for (uint32_t i = 0; i < 3; i++)
			*stream_sample(&results, 0, way, 3, i) = (struct stream_sample){
				.messages = 1000,
				.burst_millicycles = millicycles[way][i],
				.counters = { .new_slabs = 10 + i, .list_wait_cycles = 1 },
			};
	stream_summarise(&results, HZ, 0, 1, 3, &summary);
	assert_int_equal(summary.count, 2);
	assert_int_equal(summary.bits_per_second, 8192000000);
	/* 8192 bits in 2000 ns: the harmonic mean of 8192 and 2730.7 Mbit/s */
	assert_int_equal(summary.baseline_bps, 4096000000);
	assert_int_equal(summary.change_centipercent, 10000);
	assert_int_equal(summary.millicycles, 1000000);
	assert_int_equal(summary.sums.messages, 3000);
	assert_int_equal(summary.sums.counters.new_slabs, 33);
	assert_int_equal(summary.sums.counters.list_wait_cycles, 3);
	assert_int_equal(summary.ratio.median, 200000); /* of 1.0 and 3.0 */
	assert_false(summary.ratio.known);
}

/* 64 bytes in 2000 ns are 256 Mbit/s; in 1600 ns 25 % more, in 2500 ns 20 % less. */
static void rates_and_changes(void **state)
{
	struct stream_summary summary;

	(void)state;
	make_up();
	stream_summarise(&results, HZ, 0, 1, 0, &summary);
	assert_int_equal(summary.count, REPEAT);
	assert_int_equal(summary.baseline_bps, 256000000);
	assert_int_equal(summary.bits_per_second, 320000000);
	assert_int_equal(summary.change_centipercent, 2500);
	assert_true(summary.ratio.known);
	assert_int_equal(summary.ratio.low, 125000);
	assert_int_equal(summary.ratio.high, 125000);
	stream_summarise(&results, HZ, 0, 2, 8, &summary);
	assert_int_equal(summary.change_centipercent, -2000);
	for (uint32_t i = 0; i < REPEAT; i++)
		stream_sample(&results, 0, 2, 8, i)->burst_millicycles = 0;
	stream_summarise(&results, HZ, 0, 2, 8, &summary);
	assert_int_equal(summary.count, 0);
	assert_int_equal(summary.change_centipercent, 0);
	assert_false(summary.ratio.known);
}

/* 19.9 % at the largest size is what high has reached. */
static void gains(void **state)
{
	static const uint64_t mixed[REPEAT] = { 1990000, 2001000, 1998000, 1995000, 1999000 };
	struct stream_gains gains;

	(void)state;
	make_up();
	gains = stream_gains(&results, HZ, 0, 1);
	assert_int_equal(gains.figures, STREAM_SIZES);
	assert_int_equal(gains.faster, STREAM_SIZES);
	assert_int_equal(gains.slower, 0);
	assert_int_equal(gains.reached, 1);
	assert_int_equal(gains.least_centipercent, 2500);
	assert_int_equal(gains.most_centipercent, 2500);
	gains = stream_gains(&results, HZ, 0, 2);
	assert_int_equal(gains.faster, 0);
	assert_int_equal(gains.slower, STREAM_SIZES);
	assert_int_equal(gains.reached, 0);
	assert_int_equal(gains.least_centipercent, -2000);
	/* at one size faster in most slices, but not in all: on neither side for sure */
	for (uint32_t i = 0; i < REPEAT; i++)
		stream_sample(&results, 0, 1, 4, i)->burst_millicycles = mixed[i];
	/* and one without a figure */
	stream_sample(&results, 0, 1, 5, 4)->burst_millicycles = 0;
	gains = stream_gains(&results, HZ, 0, 1);
	assert_int_equal(gains.figures, STREAM_SIZES - 1);
	assert_int_equal(gains.faster, STREAM_SIZES - 2);
	assert_int_equal(gains.slower, 0);
	assert_int_equal(gains.least_centipercent, 17); /* mean 1996600 */
	assert_int_equal(gains.most_centipercent, 2500);
}

static void the_first_setting_with_figures(void **state)
{
	(void)state;
	make_up();
	assert_int_equal(stream_lead(&results), 0);
	for (uint32_t size = 0; size < STREAM_SIZES; size++)
		for (uint32_t setting = 0; setting < 2; setting++)
			stream_sample(&results, setting, 0, size, 0)->burst_millicycles = 0;
	assert_false(stream_known(&results, 1, 1));
	assert_int_equal(stream_lead(&results), 2);
	stream_sample(&results, 1, 0, 6, 0)->burst_millicycles = 1;
	assert_true(stream_known(&results, 1, 1));
	assert_int_equal(stream_lead(&results), 1);
	for (uint32_t size = 0; size < STREAM_SIZES; size++)
		for (uint32_t setting = 0; setting < SETTINGS; setting++)
			stream_sample(&results, setting, 0, size, 1)->burst_millicycles = 0;
	assert_int_equal(stream_lead(&results), SETTINGS);
}

static void slices_without_figure(void **state)
{
	struct stream_gaps gaps;

	(void)state;
	make_up();
	gaps = stream_gaps(&results);
	assert_int_equal(gaps.slices, SETTINGS * WAYS * STREAM_SIZES * REPEAT);
	assert_int_equal(gaps.slow + gaps.starved, 0);
	for (uint32_t i = 0; i < REPEAT; i++) {
		stream_sample(&results, 0, 1, 2, i)->burst_millicycles = 0;
		*stream_sample(&results, 1, 1, 7, i) = (struct stream_sample){ .starved = 2 };
	}
	stream_sample(&results, 0, 2, 2, 0)->burst_millicycles = 0;
	gaps = stream_gaps(&results);
	assert_int_equal(gaps.slow, 6);
	assert_int_equal(gaps.starved, 5);
	/* given up after the first repetition: the others were not measured */
	results.settings[1].repetitions = 1;
	gaps = stream_gaps(&results);
	assert_int_equal(gaps.slices, (2 * REPEAT + 1) * WAYS * STREAM_SIZES);
	assert_int_equal(gaps.slow, 6);
	assert_int_equal(gaps.starved, 1);
}

/* 2000 cycles * (1 - 1/1.439) are 610, for 2 calls in 1000 messages. */
static void what_a_call_must_cost(void **state)
{
	struct stream_summary order0;
	uint64_t cycles = 0;

	(void)state;
	make_up();
	for (uint32_t i = 0; i < REPEAT; i++) {
		stream_sample(&results, 0, 0, 0, i)->counters.page_allocations = 3;
		stream_sample(&results, 0, 0, 0, i)->counters.page_frees = 1;
	}
	stream_summarise(&results, HZ, 0, 0, 0, &order0);
	assert_true(stream_needed_cycles(&order0, 0, &cycles));
	assert_int_equal(cycles, 305000);
	assert_int_equal(stream_published_centipercent(0, STREAM_TWO_SOCKETS), 4390);
	/* no calls; no time */
	stream_summarise(&results, HZ, 0, 0, 1, &order0);
	assert_false(stream_needed_cycles(&order0, 1, &cycles));
	for (uint32_t i = 0; i < REPEAT; i++)
		stream_sample(&results, 0, 0, 0, i)->burst_millicycles = 0;
	stream_summarise(&results, HZ, 0, 0, 0, &order0);
	assert_false(stream_needed_cycles(&order0, 0, &cycles));
}

static void sums_over_sizes(void **state)
{
	struct stream_sums sums;

	(void)state;
	make_up();
	stream_sample(&results, 1, 1, 0, 0)->counters.zone_contended = 7;
	stream_sample(&results, 1, 1, 8, 4)->counters.zone_contended = 4;
	sums = stream_sum_all(&results, 1, 1);
	assert_int_equal(sums.messages, 2000 * STREAM_SIZES * REPEAT);
	assert_int_equal(sums.counters.zone_contended, 11);
	assert_int_equal(stream_sum(&results, 1, 1, 8).counters.zone_contended, 4);
	assert_int_equal(stream_sum_all(&results, 1, 2).counters.zone_contended, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_by_hand),
		cmocka_unit_test(rates_and_changes),
		cmocka_unit_test(gains),
		cmocka_unit_test(the_first_setting_with_figures),
		cmocka_unit_test(slices_without_figure),
		cmocka_unit_test(what_a_call_must_cost),
		cmocka_unit_test(sums_over_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
