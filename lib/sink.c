/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/sink.h"

#include <stdarg.h>

#include "lib/format.h"

void sink_print(const struct sink *sink, const char *pattern, ...)
{
	char text[1024];
	va_list list;
	size_t length;

	va_start(list, pattern);
	length = format_list(text, sizeof(text), pattern, list);
	va_end(list);
	if (length > sizeof(text) - 1)
		length = sizeof(text) - 1;
	sink->write(sink->context, text, length);
}
