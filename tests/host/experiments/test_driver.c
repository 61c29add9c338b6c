/* SPDX-License-Identifier: GPL-2.0-only */
/* The driver of the experiments, on a machine of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "experiments/driver.h"
#include "experiments/table.h"
#include "report/opening.h"
#include "tests/host/odd_machine.h"

static struct world *w;
static struct laboratory laboratory;
static const struct hmat_facts no_hmat;
static struct report report;
static char output[1 << 20];
static size_t output_length;
static uint32_t allocations, checks;
static bool no_memory;

static void take(void *context, const char *text, size_t length)
{
	(void)context;
	assert_true(output_length + length < sizeof(output));
	memcpy(output + output_length, text, length + 1);
	output_length += length;
}

static const struct sink sink = { .write = take };

/* Exactly as much as was asked for, filled with rubbish. */
static void *allocate(void *context, uint64_t bytes)
{
	allocations++;
	if (no_memory)
		return NULL;
	world_memory(context, (bytes + 63) & ~63ull);
	return w->memory;
}

static void check(const struct topology *topology)
{
	assert_ptr_equal(topology, &w->topology);
	checks++;
}

static void open_laboratory(const char *words)
{
	w = world_usual();
	skip_exercise(w);
	for (uint32_t node = 0; node < 3; node++)
		w->topology.nodes[node].pages = 1;
	options_parse(words, false, &experiment_words, &w->options);
	assert_int_equal(w->options.issue_count, 0);
	memset(output, 0, sizeof(output));
	output_length = allocations = checks = 0;
	no_memory = false;
	report_open(&report, &sink, &w->options);
	report.tsc_hz = 1000000;
	memset(&laboratory, 0, sizeof(laboratory));
	laboratory.machine = &w->machine;
	laboratory.options = &w->options;
	laboratory.topology = &w->topology;
	laboratory.hmat = &no_hmat;
	laboratory.memmap = &w->fake.memmap;
	laboratory.reserved = &w->reserved;
	laboratory.irq = IRQ_GUARD_NONE;
	laboratory.pageblocks = w->buddy.pageblocks;
	laboratory.tsc_hz = 1000000;
	laboratory.report = &report;
	laboratory.allocate = allocate;
	laboratory.allocate_context = w;
	laboratory.check = check;
}

static void close_laboratory(void)
{
	world_free(w);
}

static const char *first_of(const char *record)
{
	return strstr(output, record);
}

/* Each in the memory that was asked for once, and in the order of the table. */
static void one_after_the_other(void **state)
{
	static const char *const records[] = {
		"\"type\":\"store\"", "\"type\":\"calibration\"", "\"type\":\"plan\"",
		"\"experiment\":\"init\"", "\"experiment\":\"sweep\"", "\"type\":\"comparison\"",
		"\"type\":\"rule\"",
	};

	(void)state;
	open_laboratory("run=sweep,init policy=cores,zone repeat=1");
	assert_null(laboratory_run(&laboratory));
	assert_int_equal(allocations, 1);
	assert_int_equal(checks, 6); /* after each experiment and each step that they need */
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		if (!first_of(records[i]))
			fail_msg("no record with %s", records[i]);
		assert_true(!i || first_of(records[i - 1]) < first_of(records[i]));
	}
	assert_true(laboratory.init_cycles > 0);
	assert_int_equal(laboratory.init.policy_count, 3); /* the baseline as well */
	assert_true(laboratory.comparison.limit_cycles >= 60 * laboratory.tsc_hz);
	close_laboratory();
}

/* As much as the one that needs the most. */
static void memory_for_the_largest(void **state)
{
	uint64_t alone[2], both;
	static const char *const words[] = { "run=init policy=node repeat=1",
					     "run=sweep policy=node repeat=1",
					     "run=init,sweep policy=node repeat=1" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		open_laboratory(words[i]);
		no_memory = true;
		assert_string_equal(laboratory_run(&laboratory),
				    "too little memory for the experiments' own records");
		assert_int_equal(output_length, 0);
		*(i < 2 ? &alone[i] : &both) = laboratory.bytes;
		close_laboratory();
	}
	assert_true(alone[0] && alone[1]);
	assert_int_equal(both, alone[0] > alone[1] ? alone[0] : alone[1]);
}

static void nothing_runs_after_a_fault(void **state)
{
	(void)state;
	open_laboratory("run=init,sweep policy=zone repeat=1 inject=page");
	assert_string_equal(laboratory_run(&laboratory), "the memmap is not as it must be");
	assert_non_null(first_of("\"experiment\":\"init\""));
	assert_null(first_of("\"experiment\":\"sweep\""));
	assert_int_equal(laboratory.sweep.sample_count, 0);
	close_laboratory();
}

static void what_cannot_start_is_named(void **state)
{
	static const char *const cases[][2] = {
		{ "policy=zone", "experiment init could not start" },
		{ "run=sweep policy=zone", "experiment sweep could not start" },
		{ "run=free", "memory could not be filled" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *fault;

		open_laboratory(cases[i][0]);
		for (uint32_t cpu = 0; cpu < w->topology.cpu_count; cpu++)
			w->topology.cpus[cpu].online = false;
		fault = laboratory_run(&laboratory);
		assert_non_null(fault);
		assert_memory_equal(fault, cases[i][1], strlen(cases[i][1]));
		assert_memory_equal(fault + strlen(cases[i][1]), ": no CPU", 8);
		close_laboratory();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(memory_for_the_largest),
		cmocka_unit_test(nothing_runs_after_a_fault),
		cmocka_unit_test(what_cannot_start_is_named),
	};

	return cmocka_run_group_tests_name("laboratory", tests, NULL, NULL);
}
