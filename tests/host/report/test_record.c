/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/record.h"
#include "lib/crc32.h"

static char line[RECORD_LINE_MAX + 1];
static unsigned writes;

static void write_line(void *context, const char *text, size_t length)
{
	(void)context;
	assert_true(length <= RECORD_LINE_MAX);
	memcpy(line, text, length);
	line[length] = '\0';
	writes++;
}

static const struct sink sink = { .write = write_line };
static struct record_stream stream;

static void start(void)
{
	writes = 0;
	memset(&stream, 0xa5, sizeof(stream));
	record_stream_init(&stream, &sink, true);
}

/* The object of the last line; its frame, CRC and plain ASCII are checked. */
static json_t *parse_line(void)
{
	size_t length = strlen(line);
	json_t *object;
	uint32_t crc;

	assert_int_equal(writes, 1);
	writes = 0;
	assert_true(length > 12);
	assert_int_equal(line[0], '@');
	assert_int_equal(line[length - 1], '\n');
	assert_int_equal(line[length - 10], '#');
	for (size_t i = 0; i < length - 1; i++)
		assert_in_range((unsigned char)line[i], 0x20, 0x7e);
	crc = (uint32_t)strtoul(line + length - 9, NULL, 16);
	assert_int_equal(crc, crc32_update(0, line + 1, length - 11));
	object = json_loadb(line + 1, length - 11, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
			    NULL);
	assert_non_null(object);
	return object;
}

static void one_of_each(void **state)
{
	(void)state;
	start();
	record_begin(&stream, "sample");
	record_u64(&stream, "pages", 1048576);
	record_i64(&stream, "adopter", -1);
	record_bool(&stream, "boot", true);
	record_bool(&stream, "online", false);
	record_text(&stream, "policy", "padata");
	record_end(&stream);
	assert_int_equal(writes, 1);
	assert_string_equal(line, "@{\"seq\":0,\"type\":\"sample\",\"pages\":1048576,"
				  "\"adopter\":-1,\"boot\":true,\"online\":false,"
				  "\"policy\":\"padata\"}#37a4d09e\n");
	json_decref(parse_line());
}

static void borders_of_numbers(void **state)
{
	(void)state;
	start();
	record_begin(&stream, "x");
	record_u64(&stream, "max", UINT64_MAX);
	record_i64(&stream, "min", INT64_MIN);
	record_end(&stream);
	assert_non_null(strstr(line, "\"max\":18446744073709551615,\"min\":-9223372036854775808}"));
	json_decref(parse_line());
}

static void seq_counts_without_a_gap(void **state)
{
	json_t *object;

	(void)state;
	start();
	for (int i = 0; i < 1000; i++) {
		record_begin(&stream, "x");
		record_end(&stream);
		object = parse_line();
		assert_int_equal((int)json_number_value(json_object_get(object, "seq")), i);
		json_decref(object);
	}
	assert_int_equal(stream.seq, 1000);
}

static void nothing_when_off(void **state)
{
	(void)state;
	start();
	record_stream_init(&stream, &sink, false);
	record_begin(&stream, "x");
	record_u64(&stream, "a", 1);
	record_i64(&stream, "b", 1);
	record_bool(&stream, "c", true);
	record_text(&stream, "d", "text");
	record_end(&stream);
	assert_int_equal(writes, 0);
	assert_int_equal(stream.seq, 0);
}

/* Every byte comes back as the code point of its value. */
static void every_byte_survives(void **state)
{
	char text[2] = "";
	json_t *object;
	const char *got;

	(void)state;
	start();
	for (int byte = 1; byte < 256; byte++) {
		text[0] = (char)byte;
		record_begin(&stream, "x");
		record_text(&stream, "t", text);
		record_end(&stream);
		object = parse_line();
		got = json_string_value(json_object_get(object, "t"));
		assert_non_null(got);
		if (byte < 128) {
			assert_string_equal(got, text);
		} else {
			assert_int_equal((unsigned char)got[0], 0xc0 | byte >> 6);
			assert_int_equal((unsigned char)got[1], 0x80 | (byte & 63));
		}
		assert_null(json_object_get(object, "truncated"));
		json_decref(object);
	}
}

/* Texts of every length around the size of the buffer, easy and hostile bytes. */
static void long_texts_are_cut(void **state)
{
	static const char bytes[] = { 'a', '"', '\\', '\n', (char)0xff };
	char text[1700];
	json_t *object;

	(void)state;
	start();
	for (size_t kind = 0; kind < sizeof(bytes); kind++) {
		for (size_t length = 0; length < sizeof(text); length += length < 200 ? 37 : 1) {
			size_t size = bytes[kind] == 'a' ? 1 : bytes[kind] < ' ' ? 6 : 2;
			bool cut;

			memset(text, bytes[kind], length);
			text[length] = '\0';
			record_begin(&stream, "run");
			record_text(&stream, "cmdline", text);
			record_u64(&stream, "last", 1);
			record_end(&stream);
			object = parse_line();
			cut = json_object_get(object, "truncated") != NULL;
			assert_non_null(json_object_get(object, "cmdline"));
			assert_true(cut || json_object_get(object, "last"));
			if (length * size < 1400)
				assert_false(cut);
			if (length * size > RECORD_LINE_MAX)
				assert_true(cut);
			/* No room is wasted: less than one escape and the field behind it. */
			if (cut)
				assert_true(strlen(line) > RECORD_LINE_MAX - 20);
			json_decref(object);
		}
	}
}

static void many_fields_are_cut(void **state)
{
	json_t *object;
	char name[32];

	(void)state;
	start();
	for (int fields = 0; fields < 120; fields++) {
		record_begin(&stream, "x");
		for (int i = 0; i < fields; i++) {
			snprintf(name, sizeof(name), "field%d", i);
			if (i % 3)
				record_u64(&stream, name, (uint64_t)i << 40);
			else
				record_text(&stream, name, "text");
		}
		record_end(&stream);
		object = parse_line();
		if (!json_object_get(object, "truncated"))
			assert_int_equal(json_object_size(object), fields + 2);
		else
			assert_true(json_object_size(object) > 50);
		json_decref(object);
	}
}

static void absurd_names(void **state)
{
	char name[300];
	json_t *object;

	(void)state;
	start();
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	record_begin(&stream, name);
	record_u64(&stream, name, 1);
	record_text(&stream, name, "text");
	record_end(&stream);
	object = parse_line();
	assert_true(json_is_true(json_object_get(object, "truncated")));
	json_decref(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_each),
		cmocka_unit_test(borders_of_numbers),
		cmocka_unit_test(seq_counts_without_a_gap),
		cmocka_unit_test(nothing_when_off),
		cmocka_unit_test(every_byte_survives),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(many_fields_are_cut),
		cmocka_unit_test(absurd_names),
	};

	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
