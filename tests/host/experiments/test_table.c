/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "experiments/driver.h"
#include "experiments/table.h"

static struct options options;

static void choose(const char *text)
{
	options_parse(text, false, &experiment_words, &options);
	assert_int_equal(options.issue_count, 0);
}

static void each_word_of_run_has_one_row(void **state)
{
	uint32_t rows[EXPERIMENT_COUNT + 1] = { 0 };

	(void)state;
	for (uint32_t i = 0; all_experiments[i]; i++) {
		const struct experiment *row = all_experiments[i];

		rows[row->id]++;
		if (row->id < EXPERIMENT_COUNT)
			assert_ptr_equal(experiment_words.at(row->id), &row->word);
	}
	for (uint32_t id = 0; id < EXPERIMENT_COUNT; id++)
		assert_int_equal(rows[id], 1);
	assert_int_equal(experiment_words.count, EXPERIMENT_COUNT);
	assert_true(experiment_words.unasked(EXPERIMENT_INIT));
	assert_false(experiment_words.unasked(EXPERIMENT_FREE));
}

/* A step says itself when it is wanted; what runs can say why it did not start. */
static void rows_are_whole(void **state)
{
	(void)state;
	for (uint32_t i = 0; all_experiments[i]; i++) {
		const struct experiment *row = all_experiments[i];

		assert_true(row->word.name[0] && row->word.help[0]);
		assert_non_null(row->describe);
		assert_true(row->id < EXPERIMENT_COUNT || row->wanted);
		assert_int_equal(!row->run, !row->not_started);
		assert_true(row->run || !row->needs);
	}
}

static void assert_wanted(const char *text, const char *names)
{
	char found[256] = "";

	choose(text);
	for (uint32_t i = 0; all_experiments[i]; i++) {
		const struct experiment *row = all_experiments[i];

		if (row->wanted ? row->wanted(&options) : options.experiment_chosen[row->id])
			strcat(strcat(found, row->word.name), " ");
	}
	assert_string_equal(found, names);
}

static void what_runs_in_which_order(void **state)
{
	(void)state;
	assert_wanted("", "stores init ");
	assert_wanted("run=sweep,init", "stores init sweep ");
	assert_wanted("policy=cores", "stores calibration init comparison how-many ");
	assert_wanted("run=sweep policy=auto", "stores calibration sweep comparison how-many ");
	assert_wanted("run=bandwidth", "stores bandwidth calibration how-many ");
	assert_wanted("run=pcp", "stores fill pcp stream ");
	assert_wanted("run=free", "stores fill free ");
	assert_wanted("run=free,pcp,sweep,init,bandwidth policy=hmat",
		      "stores bandwidth calibration init sweep comparison how-many fill pcp "
		      "stream free ");
}

static void what_a_run_without_fault_has_shown(void **state)
{
	static const char pages[] = "every struct page is as it must be";

	(void)state;
	choose("run=init,sweep,bandwidth policy=all");
	assert_string_equal(laboratory_passed(&options), pages);
	choose("run=init,free");
	assert_memory_equal(laboratory_passed(&options), pages, strlen(pages));
	assert_true(strlen(laboratory_passed(&options)) > strlen(pages));
	choose("run=pcp");
	assert_true(strlen(laboratory_passed(&options)) > strlen(pages));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_word_of_run_has_one_row),
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(what_runs_in_which_order),
		cmocka_unit_test(what_a_run_without_fault_has_shown),
	};

	return cmocka_run_group_tests_name("experiments", tests, NULL, NULL);
}
