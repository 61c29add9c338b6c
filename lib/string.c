/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/string.h"

size_t string_length(const char *text, size_t limit)
{
	size_t length = 0;

	while (length < limit && text[length])
		length++;
	return length;
}

void string_copy(char *to, const char *from, size_t size)
{
	size_t i = 0;

	for (; i + 1 < size && from[i]; i++)
		to[i] = from[i];
	to[i] = '\0';
}

bool string_equal(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}
