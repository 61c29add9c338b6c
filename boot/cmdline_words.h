/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The words of the command line, and numbers in them. */
#include <stdbool.h>
#include <stdint.h>

/* Longer than any right word: the names of all policies are 74 characters. */
enum { WORD_MAX = 240 };

/* Quotes taken off. */
struct cmdline_word {
	char text[WORD_MAX + 1];
	bool too_long; /* `text` holds its beginning */
};

/* Takes the next word off *text; false at the end. GRUB puts an argument that holds blanks between
 * double quotes, and a backslash before a quote or a backslash. */
bool cmdline_next_word(const char **text, struct cmdline_word *word);

/* Digits of `base` and nothing else, from `min` to `max`. */
bool cmdline_number(const char *text, uint32_t base, uint32_t min, uint32_t max, uint32_t *value);
