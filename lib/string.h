/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The mem* functions a freestanding compiler may call, and the few string helpers used here. */
#include <stdbool.h>
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int byte, size_t length);
int memcmp(const void *a, const void *b, size_t length);

/* Length of NUL-terminated `text`, at most `limit`. */
size_t string_length(const char *text, size_t limit);

/* Copies at most size - 1 characters and always terminates; `size` is at least 1. */
void string_copy(char *to, const char *from, size_t size);

bool string_equal(const char *a, const char *b);
