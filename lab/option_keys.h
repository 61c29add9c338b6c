/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The keys of the command line as data: what each means, what its value may be, which member of
 * struct options it sets, and what holds where nobody says anything. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/words.h"

enum option_kind {
	OPTION_LIST,   /* words with commas between them; an array of a bool for each word */
	OPTION_CHOICE, /* one word; uint32_t or enum */
	OPTION_SWITCH, /* on or off; bool */
	OPTION_NUMBER, /* min to max; uint32_t */
	OPTION_POWER,  /* likewise, a power of two */
	OPTION_PORT,   /* a word, or a number in hex; uint16_t */
};

struct option_key {
	struct word word;
	enum option_kind kind;
	const struct word_list *words; /* NULL: none, or (key `run`) the caller's */
	bool all;                      /* of a list: `all` stands for every word */
	uint32_t min, max;
	const char *unit;              /* of the number; NULL: none */
	size_t field;                  /* in struct options */
	size_t given;                  /* there: a bool, whether a right word was given; 0: none */
	const char *alone;             /* the value that the key without '=' stands for, or NULL */
	const char *initial;           /* the value that holds unasked. NULL: 0 or false, or of a
					* list the words that are `unasked` */
	const char *otherwise;         /* what 0 means, for a person; NULL: it is not said */
};

enum { OPTION_KEYS = 23, OPTION_TEXT = 512 };

/* In the order in which they are explained. */
extern const struct option_key option_keys[OPTION_KEYS];

extern const struct word_list option_key_words; /* their names */

/* What a value may be, as a person is told; at most OPTION_TEXT - 1 characters. `words` are the
 * key's. */
void option_allowed(const struct option_key *key, const struct word_list *words,
		    char text[OPTION_TEXT]);
