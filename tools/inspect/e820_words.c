/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/e820_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { WORD_BYTES = 64 };

static const struct {
	const char *name;
	enum memory_type type;
} names[] = {
	{ "usable", MEMORY_USABLE },
	{ "System RAM", MEMORY_USABLE },
	{ "reserved", MEMORY_RESERVED },
	{ "device reserved", MEMORY_RESERVED },
	{ "Unknown E820 type", MEMORY_RESERVED },
	{ "ACPI data", MEMORY_ACPI_DATA },
	{ "ACPI Tables", MEMORY_ACPI_DATA },
	{ "ACPI NVS", MEMORY_ACPI_NVS },
	{ "ACPI Non-volatile Storage", MEMORY_ACPI_NVS },
	{ "unusable", MEMORY_BAD },
	{ "Unusable memory", MEMORY_BAD },
	{ "soft reserved", MEMORY_SOFT_RESERVED },
	{ "Persistent Memory", MEMORY_PERSISTENT },
	{ "Persistent Memory (legacy)", MEMORY_PERSISTENT },
	{ "Persistent RAM", MEMORY_PERSISTENT },
	{ "unaccepted", MEMORY_UNACCEPTED },
};

/* Words with a number behind them. */
static const char *const numbered[] = { "persistent (type ", "persistent RAM (type ", "type ", "" };

const char *e820_number(const char *at, unsigned base, uint64_t limit, uint64_t *value)
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

/* "639 KB System RAM", "1.5 GB System RAM": what follows the size; `text` where there is none. */
static const char *skip_size(const char *text)
{
	static const char *const units[] = { "B", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB",
					     "TiB" };
	size_t number = strspn(text, "0123456789."), blanks = strspn(text + number, " \t");
	const char *unit = text + number + blanks;
	size_t length = strcspn(unit, " \t");

	for (size_t i = 0; number && blanks && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i]) == length && strncmp(unit, units[i], length) == 0)
			return unit + length + strspn(unit + length, " \t");
	}
	return text;
}

static bool named(const char *word, enum memory_type *type)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(word, names[i].name) == 0) {
			*type = names[i].type;
			return true;
		}
	}
	return false;
}

static bool by_number(const char *word, enum memory_type *type)
{
	uint64_t number;

	for (size_t i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++) {
		const char *end;

		if (strncasecmp(word, numbered[i], strlen(numbered[i])) != 0)
			continue;
		end = e820_number(word + strlen(numbered[i]), 10, UINT32_MAX, &number);
		if (!end || strcmp(end, strchr(numbered[i], '(') ? ")" : "") != 0)
			continue;
		*type = memory_type_from_e820((uint32_t)number);
		return true;
	}
	return false;
}

bool e820_word(const char *text, enum memory_type *type)
{
	char word[WORD_BYTES];
	size_t length;

	text = skip_size(text);
	length = strlen(text);
	if (length >= 2 && text[0] == '(' && text[length - 1] == ')') {
		text++;
		length -= 2;
	}
	if (length >= sizeof(word))
		return false;
	memcpy(word, text, length);
	word[length] = '\0';
	return named(word, type) || by_number(word, type);
}
