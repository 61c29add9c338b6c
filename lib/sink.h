/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Where text goes: a serial port, a file, a buffer in a test. */
#include <stddef.h>

struct sink {
	void (*write)(void *context, const char *text, size_t length);
	void *context;
};

/* Formats one piece of text (at most 1,023 characters) and hands it to the sink in one call. */
__attribute__((format(printf, 2, 3))) void sink_print(const struct sink *sink, const char *pattern,
						      ...);
