/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/options.h"

#include <stddef.h>

#include "boot/cmdline_words.h"
#include "lib/assert.h"
#include "lib/string.h"

enum { LIST_MAX = 16, HOLDS_MAX = sizeof((struct cmdline_issue){ 0 }.holds) };

/* What a list is told as, and what a choice is written as. */
_Static_assert(sizeof(enum split) == 4 && sizeof(enum place) == 4 && sizeof(enum vmemmap) == 4 &&
	       sizeof(enum store) == 4 && sizeof(enum exit_mode) == 4 && sizeof(enum inject) == 4,
	       "enums are 32 bits wide");
_Static_assert((int)POLICY_COUNT <= (int)LIST_MAX && (int)EXPERIMENT_COUNT <= (int)LIST_MAX &&
	       (int)PCP_COUNT <= (int)LIST_MAX && (int)FREE_COUNT <= (int)LIST_MAX &&
	       (int)MAPPING_COUNT <= (int)LIST_MAX, "lists fit");

/* A right value, before it is known to be one. */
union value {
	bool chosen[LIST_MAX];
	uint32_t number;
};

static const struct word_list *words_of(const struct option_key *key,
					const struct options *options)
{
	return key->words || key->kind != OPTION_LIST ? key->words : options->experiments;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool parse_word(const struct word_list *words, const char *text, uint32_t *value)
{
	uint32_t index;

	if (!word_find(words, text, &index))
		return false;
	*value = word_value(words, index);
	return true;
}

static bool choose(const struct option_key *key, const struct word_list *words, const char *name,
		   bool chosen[LIST_MAX])
{
	bool all = key->all && string_equal(name, "all");
	uint32_t index;

	if (!all && !word_find(words, name, &index))
		return false;
	for (uint32_t i = 0; i < words->count; i++)
		chosen[i] |= all || i == index;
	return true;
}

static bool parse_list(const struct option_key *key, const struct word_list *words,
		       const char *text, bool chosen[LIST_MAX])
{
	char name[WORD_MAX + 1];

	memset(chosen, false, LIST_MAX * sizeof(chosen[0]));
	for (;; text++) {
		size_t length = 0;

		while (text[length] && text[length] != ',')
			length++;
		string_copy(name, text, length + 1);
		if (!choose(key, words, name, chosen))
			return false;
		text += length;
		if (!*text)
			return true;
	}
}

static bool parse_power(const struct option_key *key, const char *text, uint32_t *value)
{
	return cmdline_number(text, 10, key->min, key->max, value) && !(*value & (*value - 1));
}

static bool parse_port(const struct word_list *words, const char *text, uint32_t *value)
{
	bool prefixed = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');

	/* A 16550 has eight registers: the last base that leaves room for them is 0xfff8. */
	return parse_word(words, text, value) ||
	       cmdline_number(prefixed ? text + 2 : text, 16, 1, 0xfff8, value);
}

static bool parse_value(const struct option_key *key, const struct word_list *words,
			const char *text, union value *value)
{
	switch (key->kind) {
	case OPTION_LIST:
		return parse_list(key, words, text, value->chosen);
	case OPTION_CHOICE:
	case OPTION_SWITCH:
		return parse_word(words, text, &value->number);
	case OPTION_NUMBER:
		return cmdline_number(text, 10, key->min, key->max, &value->number);
	case OPTION_POWER:
		return parse_power(key, text, &value->number);
	case OPTION_PORT:
		return parse_port(words, text, &value->number);
	}
	return false;
}

static void store_value(const struct option_key *key, const union value *value,
			struct options *options)
{
	char *field = (char *)options + key->field;
	bool on = value->number;
	uint16_t port = (uint16_t)value->number;

	switch (key->kind) {
	case OPTION_LIST:
		memcpy(field, value->chosen, words_of(key, options)->count * sizeof(bool));
		break;
	case OPTION_CHOICE:
	case OPTION_NUMBER:
	case OPTION_POWER:
		memcpy(field, &value->number, sizeof(value->number));
		break;
	case OPTION_SWITCH:
		memcpy(field, &on, sizeof(on));
		break;
	case OPTION_PORT:
		memcpy(field, &port, sizeof(port));
		break;
	}
}

/* False: it is not allowed, and nothing has changed. */
static bool set_value(const struct option_key *key, const char *text, struct options *options)
{
	union value value;

	if (!parse_value(key, words_of(key, options), text, &value))
		return false;
	store_value(key, &value, options);
	return true;
}

static void choose_unasked(const struct option_key *key, struct options *options)
{
	const struct word_list *words = words_of(key, options);
	union value value;

	for (uint32_t i = 0; i < words->count; i++)
		value.chosen[i] = !words->unasked || words->unasked(i);
	store_value(key, &value, options);
}

static void set_defaults(const struct word_list *experiments, struct options *options)
{
	*options = (struct options){ .experiments = experiments };
	for (uint32_t i = 0; i < OPTION_KEYS; i++) {
		const struct option_key *key = &option_keys[i];

		if (key->kind == OPTION_LIST)
			choose_unasked(key, options);
		else if (key->initial)
			lab_assert(set_value(key, key->initial, options));
	}
}

/* ---- the whole line ---------------------------------------------------------------------- */

static void add_issue(struct options *options, const char *word, const struct option_key *key)
{
	struct cmdline_issue *issue;

	if (options->issue_count < CMDLINE_ISSUES) {
		issue = &options->issues[options->issue_count];
		string_copy(issue->word, word, sizeof(issue->word));
		issue->key = key;
	}
	options->issue_count++;
}

/* The key that `word` begins with and, in *value, what follows its '='; NULL: there is none. */
static const struct option_key *find_key(const char *word, const char **value)
{
	char name[WORD_MAX + 1];
	size_t length = 0;
	uint32_t index;

	while (word[length] && word[length] != '=')
		length++;
	string_copy(name, word, length + 1);
	*value = word[length] ? word + length + 1 : NULL;
	return word_find(&option_key_words, name, &index) ? &option_keys[index] : NULL;
}

/* `last_right` has for every key the last word that was right, cut. */
static void take_word(const struct cmdline_word *word, char last_right[][HOLDS_MAX],
		      struct options *options)
{
	const char *value;
	const struct option_key *key = find_key(word->text, &value);

	if (key && !value)
		value = key->alone;
	if (!key || word->too_long || !value || !set_value(key, value, options)) {
		add_issue(options, word->text, key);
		return;
	}
	string_copy(last_right[key - option_keys], word->text, HOLDS_MAX);
	if (key->given)
		*((bool *)options + key->given) = true;
}

/* Known at the end only: a right word may follow a wrong one. */
static void tell_what_holds(char last_right[][HOLDS_MAX], struct options *options)
{
	for (uint32_t i = 0; i < options->issue_count && i < CMDLINE_ISSUES; i++) {
		struct cmdline_issue *issue = &options->issues[i];

		if (issue->key)
			string_copy(issue->holds, last_right[issue->key - option_keys], HOLDS_MAX);
	}
}

static bool is_kernel_path(const struct cmdline_word *word)
{
	const char *value;

	(void)find_key(word->text, &value);
	return word->text[0] == '/' && !value;
}

/* Its beginning may be another word. */
static void note_cut(const struct cmdline_word *word, struct options *options)
{
	add_issue(options, word->text, NULL);
	if (options->issue_count <= CMDLINE_ISSUES)
		options->issues[options->issue_count - 1].cut = true;
}

void options_parse(const char *text, bool cut, const struct word_list *experiments,
		   struct options *options)
{
	char last_right[OPTION_KEYS][HOLDS_MAX] = { { 0 } };
	struct cmdline_word word;

	lab_assert(experiments->count == EXPERIMENT_COUNT);
	set_defaults(experiments, options);
	for (bool first = true; cmdline_next_word(&text, &word); first = false)
		if (cut && !*text)
			note_cut(&word, options);
		else if (!first || !is_kernel_path(&word))
			take_word(&word, last_right, options);
	tell_what_holds(last_right, options);
}

void options_allowed(const struct options *options, const struct cmdline_issue *issue,
		     char text[OPTION_TEXT])
{
	struct text names = text_in(text, OPTION_TEXT);

	if (issue->key)
		option_allowed(issue->key, words_of(issue->key, options), text);
	else
		word_names(&option_key_words, &names);
}
