/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/e820_text.h"

#include <ctype.h>
#include <string.h>

enum { LINE_BYTES = 512 };

/* Linux's words that stand for one e820 type; those with a number in them are read apart. */
static const struct {
	const char *name;
	uint32_t e820;
} TYPE_NAMES[] = {
	{ "usable", 1 },    { "reserved", 2 }, { "ACPI data", 3 },
	{ "ACPI NVS", 4 },  { "unusable", 5 }, { "soft reserved", 0xefffffff },
};

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* One or more digits of `base`, no sign, at most `limit`; NULL when something else is there. */
static const char *parse_number(const char *at, unsigned base, uint64_t limit, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	const char *begin;

	if (base == 16 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	begin = at;
	*value = 0;
	for (; *at; at++) {
		const char *digit = strchr(digits, tolower((unsigned char)*at));

		if (!digit || (unsigned)(digit - digits) >= base)
			break;
		if (*value > (limit - (uint64_t)(digit - digits)) / base)
			return NULL;
		*value = *value * base + (uint64_t)(digit - digits);
	}
	return at > begin ? at : NULL;
}

static bool parse_type(const char *text, enum memory_type *type)
{
	static const char *const prefixes[] = { "persistent (type ", "type ", "" };
	uint64_t number;

	for (size_t i = 0; i < sizeof(TYPE_NAMES) / sizeof(TYPE_NAMES[0]); i++) {
		if (strcmp(text, TYPE_NAMES[i].name) == 0) {
			*type = memory_type_from_e820(TYPE_NAMES[i].e820);
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		const char *end;

		if (strncmp(text, prefixes[i], strlen(prefixes[i])) != 0)
			continue;
		end = parse_number(text + strlen(prefixes[i]), 10, UINT32_MAX, &number);
		if (!end || strcmp(end, strchr(prefixes[i], '(') ? ")" : "") != 0)
			continue;
		*type = memory_type_from_e820((uint32_t)number);
		return true;
	}
	return false;
}

/* The reason why `line` is no entry, or NULL and `entry` filled in. */
static const char *parse_entry(const char *line, struct boot_memory *entry)
{
	uint64_t end_inclusive;
	const char *at = parse_number(line, 16, UINT64_MAX, &entry->start);

	if (!at || *skip_blanks(at) != '-')
		return "no start address";
	at = parse_number(skip_blanks(skip_blanks(at) + 1), 16, UINT64_MAX, &end_inclusive);
	if (!at)
		return "no end address";
	if (end_inclusive < entry->start)
		return "the end is below the start";
	if (entry->start == 0 && end_inclusive == UINT64_MAX)
		return "all of the address space cannot be one entry";
	entry->length = end_inclusive - entry->start + 1;
	if (!parse_type(skip_blanks(at), &entry->type))
		return "unknown memory type";
	return NULL;
}

/* Cuts a comment and the blanks before it off; returns the first character that counts. */
static const char *trim(char *line)
{
	size_t length = strcspn(line, "#");

	while (length > 0 && isspace((unsigned char)line[length - 1]))
		length--;
	line[length] = '\0';
	return skip_blanks(line);
}

bool e820_text_parse(FILE *in, struct boot_memory *out, uint32_t capacity, uint32_t *count,
		     char *error, size_t error_size)
{
	char line[LINE_BYTES];
	const char *reason = NULL;
	unsigned long number = 0;

	*count = 0;
	while (!reason && fgets(line, sizeof(line), in)) {
		struct boot_memory entry;
		const char *text;

		number++;
		/* A NUL hides the line feed; /dev/zero has no end. */
		if (!strchr(line, '\n') && !feof(in)) {
			reason = "the line is too long, or no text";
			break;
		}
		text = trim(line);
		if (*text == '\0')
			continue;
		reason = parse_entry(text, &entry);
		if (!reason && *count == capacity)
			reason = "there are more entries than can be held";
		if (!reason)
			out[(*count)++] = entry;
	}
	if (reason) {
		snprintf(error, error_size, "line %lu: %s", number, reason);
		return false;
	}
	if (ferror(in)) {
		snprintf(error, error_size, "it cannot be read");
		return false;
	}
	return true;
}
