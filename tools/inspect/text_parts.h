/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Sizes, and lines that fit a terminal. */
#include <stdint.h>
#include <stdio.h>

enum { TEXT_COLUMNS = 80 };

/* "15.9 GiB" or, where that is exact, "16 GiB"; nothing is "0". */
struct size_text {
	char text[40];
};

struct size_text size_of(uint64_t bytes);
struct size_text size_of_pages(uint64_t pages);

/* Text that begins at column `indent`, where its further lines begin, too. */
void print_wrapped(FILE *to, const char *text, int indent);
