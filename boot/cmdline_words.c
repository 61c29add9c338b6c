/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/cmdline_words.h"

#include <stddef.h>

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void word_put(struct cmdline_word *word, size_t *length, char c)
{
	if (*length == WORD_MAX) {
		word->too_long = true;
		return;
	}
	word->text[(*length)++] = c;
}

bool cmdline_next_word(const char **text, struct cmdline_word *word)
{
	const char *at = *text;
	size_t length = 0;
	bool quoted = false;

	word->too_long = false;
	while (is_blank(*at))
		at++;
	if (!*at)
		return false;
	for (; *at && (quoted || !is_blank(*at)); at++) {
		if (*at == '\\' && (at[1] == '\\' || at[1] == '"' || at[1] == '\''))
			word_put(word, &length, *++at);
		else if (*at == '"')
			quoted = !quoted;
		else
			word_put(word, &length, *at);
	}
	word->text[length] = '\0';
	*text = at;
	return true;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

bool cmdline_number(const char *text, uint32_t base, uint32_t min, uint32_t max, uint32_t *value)
{
	uint64_t number = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		uint32_t digit = (uint32_t)digit_value(*text);

		if (digit >= base)
			return false;
		number = number * base + digit;
		if (number > max)
			return false;
	}
	*value = (uint32_t)number;
	return number >= min;
}
