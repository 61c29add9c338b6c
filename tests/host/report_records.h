/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Looks for records and rows in the report that was taken. Objects are written with ' for ". */
#include "tests/host/report_capture.h"

static inline json_t *object_of(const char *text)
{
	char *quoted = strdup(text);
	json_t *object;

	for (char *at = quoted; *at; at++)
		if (*at == '\'')
			*at = '"';
	object = json_loads(quoted, JSON_DECODE_INT_AS_REAL, NULL);
	free(quoted);
	assert_non_null(object);
	return object;
}

static inline bool has_members(json_t *object, json_t *members)
{
	const char *name;
	json_t *value;

	json_object_foreach(members, name, value)
		if (!json_equal(json_object_get(object, name), value))
			return false;
	return true;
}

/* The one record with these members; the caller gives it back. */
static inline json_t *find_record(const char *members)
{
	json_t *wanted = object_of(members), *found = NULL;

	for (const char *at = output; (at = strstr(at, "@{")) != NULL; at += 2) {
		json_t *record;

		if (at > output && at[-1] != '\n') /* inside a record's text */
			continue;
		record = json_loads(at + 1, JSON_DECODE_INT_AS_REAL | JSON_DISABLE_EOF_CHECK, NULL);
		assert_non_null(record);
		if (!has_members(record, wanted)) {
			json_decref(record);
			continue;
		}
		if (found)
			fail_msg("several records with %s", members);
		found = record;
	}
	if (!found)
		fail_msg("no record with %s", members);
	json_decref(wanted);
	return found;
}

/* The one record with the members of `which` has those of `members`, too. */
static inline void assert_record(const char *which, const char *members)
{
	json_t *record = find_record(which), *expected = object_of(members), *value;
	const char *name;

	json_object_foreach(expected, name, value)
		if (!json_equal(json_object_get(record, name), value))
			fail_msg("%s: %s is %s", which, name,
				 json_dumps(json_object_get(record, name), JSON_ENCODE_ANY));
	json_decref(expected);
	json_decref(record);
}

/* And it has no member of that name. */
static inline void assert_unsaid(const char *which, const char *name)
{
	json_t *record = find_record(which);

	if (json_object_get(record, name))
		fail_msg("%s has %s", which, name);
	json_decref(record);
}

/* Whether there is a table of that heading, or of the heading that begins so. */
static inline bool has_table(const char *heading)
{
	size_t length = strlen(heading);

	for (const char *at = output; (at = strstr(at, heading)) != NULL; at += length)
		if (at == output || at[-1] == '\n')
			return true;
	return false;
}

/* Whether a row of that table, its blanks squeezed, begins with these cells. */
static inline bool has_row(const char *heading, const char *cells)
{
	const char *at = strstr(output, heading);

	assert_non_null(at);
	for (at = strchr(at, '\n'); at && at[1] && at[1] != '\n'; at = strchr(at + 1, '\n')) {
		const char *text = at + 1, *want = cells;

		while (*want && (text += strspn(text, " "), *text)) {
			size_t length = strcspn(want, " ");

			if (strcspn(text, " \n") != length || strncmp(text, want, length))
				break;
			text += length;
			want += length + strspn(want + length, " ");
		}
		if (!*want)
			return true;
	}
	return false;
}
