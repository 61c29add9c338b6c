/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/anomaly.h"
#include "lib/range.h"
#include "tests/host/random.h"

static uint64_t seed = 0x2545f4914f6cdd1d;

/* The model: one bool per unit of a small universe that lies at `base`. */
enum { UNITS = 48 };

struct model {
	bool in[UNITS];
	uint64_t base;
};

static uint32_t model_runs(const struct model *model)
{
	uint32_t runs = 0;

	for (uint32_t i = 0; i < UNITS; i++)
		runs += model->in[i] && (i == 0 || !model->in[i - 1]);
	return runs;
}

static uint64_t model_count(const struct model *model, uint32_t start, uint32_t end)
{
	uint64_t count = 0;

	for (uint32_t i = start; i < end; i++)
		count += model->in[i];
	return count;
}

/* The list holds exactly the runs of the model, in order. */
static void check_same(const struct range_list *list, const struct model *model)
{
	uint32_t n = 0;

	assert_int_equal(list->count, model_runs(model));
	for (uint32_t i = 0; i < UNITS; i++) {
		uint32_t end = i;

		while (end < UNITS && model->in[end])
			end++;
		if (end == i)
			continue;
		assert_true(n < list->count);
		assert_int_equal(list->ranges[n].start, model->base + i);
		assert_int_equal(list->ranges[n].end, model->base + end);
		n++;
		i = end;
	}
	assert_int_equal(n, list->count);
}

static void check_queries(const struct range_list *list, const struct model *model)
{
	uint32_t start = (uint32_t)(random_next(&seed) % UNITS);
	uint32_t end = start + (uint32_t)(random_next(&seed) % (UNITS - start));
	uint64_t inside = model_count(model, start, end);
	uint32_t index = 0;

	assert_int_equal(range_list_overlap(list, model->base + start, model->base + end), inside);
	while (index < list->count && list->ranges[index].end <= model->base + start)
		index++;
	assert_int_equal(range_list_find(list, model->base + start), index);
}

/* One random range into list and model; what does not fit must leave the list as it was. */
static void step(struct range_list *list, struct model *model)
{
	uint32_t start = (uint32_t)(random_next(&seed) % UNITS);
	uint32_t length = (uint32_t)(random_next(&seed) % 5);
	uint32_t end = start + length < UNITS ? start + length : UNITS - 1;
	struct model changed = *model;
	bool done;

	if (start < end)
		memset(&changed.in[start], true, end - start);
	done = range_list_add(list, model->base + start, model->base + end);
	assert_int_equal(done, model_runs(&changed) <= list->capacity);
	if (done)
		*model = changed;
}

/* At the bottom, somewhere and at the very top of the 64-bit space; every capacity up to enough. */
static void list_agrees_with_a_bitmap(void **state)
{
	static const uint64_t bases[] = { 0, 1000000, UINT64_MAX - (UNITS - 1) };

	(void)state;
	for (uint32_t run = 0; run < 9000; run++) {
		uint32_t capacity = run % 27;
		struct range *storage = malloc(capacity * sizeof(*storage));
		struct model model = { .base = bases[run % 3] };
		struct range_list list;

		range_list_init(&list, storage, capacity);
		for (uint32_t i = 0; i < 50; i++) {
			step(&list, &model);
			check_same(&list, &model);
			check_queries(&list, &model);
		}
		free(storage);
	}
}

static void neighbours_become_one(void **state)
{
	struct range storage[3];
	struct range_list list;

	(void)state;
	range_list_init(&list, storage, 3);
	assert_true(range_list_add(&list, 10, 20));
	assert_true(range_list_add(&list, 30, 40));
	assert_int_equal(list.count, 2);
	assert_true(range_list_add(&list, 20, 30));
	assert_int_equal(list.count, 1);
	assert_int_equal(storage[0].start, 10);
	assert_int_equal(storage[0].end, 40);
}

static void a_full_list_stays_as_it_is(void **state)
{
	struct range storage[2];
	struct range_list list;

	(void)state;
	range_list_init(&list, storage, 2);
	assert_true(range_list_add(&list, 10, 20));
	assert_true(range_list_add(&list, 30, 40));
	assert_false(range_list_add(&list, 50, 60));
	assert_int_equal(list.count, 2);
	assert_int_equal(range_list_overlap(&list, 0, UINT64_MAX), 20);
	assert_true(range_list_add(&list, 15, 35)); /* merging needs no room */
	assert_int_equal(list.count, 1);
	assert_int_equal(storage[0].end, 40);
	assert_true(range_list_add(&list, 50, 60));
}

static void empty_and_inverted_ranges_change_nothing(void **state)
{
	struct range storage[1];
	struct range_list list;

	(void)state;
	range_list_init(&list, storage, 1);
	assert_true(range_list_add(&list, 0, 100));
	assert_true(range_list_add(&list, 200, 200));
	assert_true(range_list_add(&list, 300, 200));
	assert_int_equal(list.count, 1);
	assert_int_equal(storage[0].end, 100);
	assert_int_equal(range_list_overlap(&list, 60, 40), 0);
}

static void the_whole_space_is_a_range(void **state)
{
	struct range storage[2];
	struct range_list list;

	(void)state;
	range_list_init(&list, storage, 2);
	assert_true(range_list_add(&list, 0, 1));
	assert_true(range_list_add(&list, UINT64_MAX - 1, UINT64_MAX));
	assert_int_equal(range_list_overlap(&list, 0, UINT64_MAX), 2);
	assert_true(range_list_add(&list, 0, UINT64_MAX));
	assert_true(range_list_add(&list, 5, 6));
	assert_int_equal(list.count, 1);
	assert_int_equal(range_list_overlap(&list, 0, UINT64_MAX), UINT64_MAX);
}

static void anomalies_are_cut_and_counted(void **state)
{
	struct anomaly_log *log = calloc(1, sizeof(*log));

	(void)state;
	for (uint32_t i = 0; i < ANOMALY_MAX + 3; i++)
		anomaly_add(log, "longer than seven", i, "reason", 2 * i);
	assert_int_equal(log->count, ANOMALY_MAX);
	assert_int_equal(log->dropped, 3);
	assert_string_equal(log->entries[0].table, "longer ");
	assert_int_equal(log->entries[255].offset, 255);
	assert_int_equal(log->entries[255].value, 510);
	assert_string_equal(log->entries[255].reason, "reason");
	free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list_agrees_with_a_bitmap),
		cmocka_unit_test(neighbours_become_one),
		cmocka_unit_test(a_full_list_stays_as_it_is),
		cmocka_unit_test(empty_and_inverted_ranges_change_nothing),
		cmocka_unit_test(the_whole_space_is_a_range),
		cmocka_unit_test(anomalies_are_cut_and_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
