/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a freestanding compiler calls for copies, fills and comparisons. String instructions instead
 * of loops: the compiler would recognise the loop and replace it by a call to the same function.
 */
#include <stdint.h>

#include "lib/string.h"

void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
	void *result = to;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
	return result;
}

/* With the direction flag set, string instructions run downwards; the ABI wants it clear again. */
static void copy_down(uint8_t *to, const uint8_t *from, size_t length)
{
	to += length - 1;
	from += length - 1;
	__asm__ volatile("std\n\trep movsb\n\tcld"
			 : "+D"(to), "+S"(from), "+c"(length)
			 :
			 : "memory");
}

void *memmove(void *to, const void *from, size_t length)
{
	/* Upwards is wrong only where `to` lies inside [from, from + length). */
	if (length && (uintptr_t)to - (uintptr_t)from < length) {
		copy_down(to, from, length);
		return to;
	}
	return memcpy(to, from, length);
}

void *memset(void *to, int byte, size_t length)
{
	void *result = to;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(length) : "a"(byte) : "memory");
	return result;
}

int memcmp(const void *a, const void *b, size_t length)
{
	const uint8_t *left = a, *right = b;

	for (size_t i = 0; i < length; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}
