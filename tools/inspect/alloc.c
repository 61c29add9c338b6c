/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/alloc.h"

#include <error.h>
#include <errno.h>
#include <stdlib.h>

void *resize_or_die(void *memory, size_t bytes)
{
	void *resized = realloc(memory, bytes);

	if (!resized)
		error(2, errno, "no memory for %zu bytes", bytes);
	return resized;
}

void *array_or_die(size_t count, size_t bytes)
{
	void *array = calloc(count ? count : 1, bytes);

	if (!array)
		error(2, errno, "no memory for %zu times %zu bytes", count, bytes);
	return array;
}
