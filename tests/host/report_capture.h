/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Takes a report and checks what is true of every one: lines for people are whole, printable and at
 * most 100 columns wide; records are JSON with the right CRC, numbered without a gap. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>

#include <cmocka.h>
#include <jansson.h>

#include "lib/crc32.h"
#include "tests/host/report_machine.h"

#define GIB_PAGES 262144ull

static struct report report;
static char *output;
static size_t output_length, output_size;
static uint32_t record_count;
static json_t *types; /* type -> number of records */
static json_t *last;

/* One record: its CRC, its JSON, its number in the sequence. */
static void check_record(const char *line, size_t length)
{
	json_t *object;
	const char *type;
	uint32_t crc;

	assert_true(length > 12 && length <= RECORD_LINE_MAX);
	assert_int_equal(line[length - 1], '\n');
	assert_int_equal(line[length - 10], '#');
	crc = (uint32_t)strtoul(line + length - 9, NULL, 16);
	assert_int_equal(crc, crc32_update(0, line + 1, length - 11));
	object = json_loadb(line + 1, length - 11, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
			    NULL);
	assert_non_null(object);
	assert_int_equal((int)json_number_value(json_object_get(object, "seq")), record_count);
	type = json_string_value(json_object_get(object, "type"));
	assert_non_null(type);
	json_object_set_new(types, type,
			    json_integer(json_integer_value(json_object_get(types, type)) + 1));
	record_count++;
	json_decref(last);
	last = object;
}

/* One piece of text for people: a whole line of at most 100 columns of printable ASCII, in which
 * nothing looks like a record. */
static void check_line(const char *line, size_t length)
{
	assert_in_range(length, 1, 101);
	assert_int_equal(line[length - 1], '\n');
	for (size_t i = 0; i < length - 1; i++) {
		assert_in_range((unsigned char)line[i], ' ', '~');
		assert_false(line[i] == '@' && line[i + 1] == '{');
	}
	assert_true(length < 2 || line[length - 2] != ' ');
}

static void take(void *context, const char *text, size_t length)
{
	(void)context;
	if (text[0] == '@')
		check_record(text, length);
	else
		check_line(text, length);
	if (output_length + length >= output_size) {
		output_size = 2 * output_size + length + 1;
		output = realloc(output, output_size);
	}
	memcpy(output + output_length, text, length);
	output_length += length;
	output[output_length] = '\0';
}

static const struct sink sink = { .write = take };

static void start(void)
{
	json_decref(types);
	json_decref(last);
	last = NULL;
	types = json_object();
	record_count = 0;
	output_length = 0;
	memset(&report, 0xa5, sizeof(report));
}

static inline int count(const char *type)
{
	return (int)json_integer_value(json_object_get(types, type));
}

static bool says(const char *text)
{
	return strstr(output, text) != NULL;
}

/* The row of `table` (a heading) that, its blanks squeezed, begins with `label`. */
static inline const char *find_row(const char *table, const char *label)
{
	static char row[256];
	const char *at = strstr(output, table);

	assert_non_null(at);
	for (at = strchr(at, '\n'); at && at[1] && at[1] != '\n'; at = strchr(at + 1, '\n')) {
		const char *text = at + 1 + strspn(at + 1, " ");
		size_t length = 0;

		for (; *text && *text != '\n'; text++)
			if (*text != ' ' || text[1] != ' ')
				row[length++] = *text;
		row[length] = '\0';
		if (!strncmp(row, label, strlen(label)) && row[strlen(label)] == ' ')
			return row;
	}
	fail_msg("no row %s in %s", label, table);
	return NULL;
}
