/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * printf for a machine without a C library. Conversions: %d %i %u %x %X %c %s %p %% with the length
 * modifiers hh h l ll z, the flags '-' and '0', a width and, for %s, a precision (numbers or *).
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Writes at most size - 1 characters and a NUL, and returns `to`: what does not fit is cut. size 0
 * writes nothing. For text in pieces see lib/text.h. */
__attribute__((format(printf, 3, 4))) char *format(char *to, size_t size, const char *pattern, ...);

/* Returns the length that the whole text would have had, as C's vsnprintf does: it may be more than
 * what was written. */
size_t format_list(char *to, size_t size, const char *pattern, va_list list);

/* numerator / denominator as decimal text with `decimals` (0 to 9) digits, rounded half up, such as
 * "12.34"; "-" when the denominator is 0. Exact for all inputs: no intermediate overflow. Returns
 * `to`, which holds at least 32 bytes. */
char *format_ratio(char *to, uint64_t numerator, uint64_t denominator, unsigned decimals);
