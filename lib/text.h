/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Text put together piece by piece in a buffer that it cannot leave. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *to;
	size_t size;
	size_t length; /* without the NUL; less than size */
	bool cut;      /* something did not fit */
};

/* No text yet, in the `size` bytes at `to`; at least one. */
struct text text_in(char *to, size_t size);

/* Adds as format() does. What does not fit is cut: the text then ends in "..." for good, where it
 * has room for that. */
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *pattern, ...);

/* An item of a list, with ", " before all but the first. */
__attribute__((format(printf, 2, 3))) void text_add_item(struct text *text, const char *pattern,
							 ...);

/* The numbers from 0 to count - 1 of which `holds` is true, as "0-3, 7"; two neighbours as
 * "0, 1". */
void text_add_numbers(struct text *text, uint32_t count,
		      bool (*holds)(const void *context, uint32_t number), const void *context);
