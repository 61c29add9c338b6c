/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/schema/words.h"

#include "experiments/table.h"
#include "lab/option_keys.h"

static const struct word_list *words_of(const struct option_key *key)
{
	return key->words || key->kind != OPTION_LIST ? key->words : &experiment_words;
}

static json_t *values_of(const struct word_list *words)
{
	json_t *values = json_array();

	for (uint32_t i = 0; i < words->count; i++)
		json_array_append_new(values, json_pack("{s:s,s:s*,s:b}", "name",
							words->at(i)->name, "help",
							words->at(i)->help, "unasked",
							!words->unasked || words->unasked(i)));
	return values;
}

static const char *kind_of(const struct option_key *key)
{
	switch (key->kind) {
	case OPTION_LIST:
		return key->all ? "list or all" : "list";
	case OPTION_CHOICE:
		return "choice";
	case OPTION_SWITCH:
		return "switch";
	case OPTION_NUMBER:
		return "number";
	case OPTION_POWER:
		return "power of two";
	case OPTION_PORT:
		return "port";
	}
	return NULL;
}

/* What holds where nobody says anything, as a person is told; of a list, what its values say. */
static const char *default_of(const struct option_key *key)
{
	if (key->initial || key->otherwise)
		return key->initial ? key->initial : key->otherwise;
	return key->kind == OPTION_SWITCH ? "off" : key->kind == OPTION_LIST ? "" : "0";
}

static json_t *key_of(const struct option_key *key)
{
	const struct word_list *words = words_of(key);
	char allowed[OPTION_TEXT];
	json_t *object;

	option_allowed(key, words, allowed);
	object = json_pack("{s:s,s:s,s:s,s:s,s:s}", "name", key->word.name, "help",
			   key->word.help, "kind", kind_of(key), "allowed", allowed, "default",
			   default_of(key));
	if (key->max)
		json_object_update_new(object, json_pack("{s:I,s:I}", "min", (json_int_t)key->min,
							 "max", (json_int_t)key->max));
	if (words)
		json_object_set_new(object, "values", values_of(words));
	return object;
}

json_t *words_of_command_line(void)
{
	json_t *keys = json_array();

	for (uint32_t i = 0; i < OPTION_KEYS; i++)
		json_array_append_new(keys, key_of(&option_keys[i]));
	return keys;
}
