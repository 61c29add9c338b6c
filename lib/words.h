/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Words that a user may type, each for one of several things. A word stands in its thing's own
 * table, beside the thing's rule; a list hands out those of one table. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/text.h"

struct word {
	const char *name;
	const char *help; /* what it stands for, in one line */
};

struct word_list {
	uint32_t count;
	const struct word *(*at)(uint32_t index);
	uint32_t (*value)(uint32_t index); /* what the word stands for; NULL: its index */
	bool (*unasked)(uint32_t index);   /* of words of which several may be chosen: whether it
					    * holds where nobody chose; NULL: all do */
};

uint32_t word_value(const struct word_list *list, uint32_t index);

/* Into *index, which word `name` is; false: none. */
bool word_find(const struct word_list *list, const char *name, uint32_t *index);

/* Of a list whose values are its indexes; "?" for what has no word. */
const char *word_name(const struct word_list *list, uint32_t index);

/* Adds all names in their order, with commas. */
void word_names(const struct word_list *list, struct text *text);
