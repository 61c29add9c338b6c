/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/words.h"

#include "lib/string.h"

uint32_t word_value(const struct word_list *list, uint32_t index)
{
	return list->value ? list->value(index) : index;
}

bool word_find(const struct word_list *list, const char *name, uint32_t *index)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (string_equal(name, list->at(i)->name)) {
			*index = i;
			return true;
		}
	}
	return false;
}

const char *word_name(const struct word_list *list, uint32_t index)
{
	return index < list->count ? list->at(index)->name : "?";
}

void word_names(const struct word_list *list, struct text *text)
{
	for (uint32_t i = 0; i < list->count; i++)
		text_add(text, "%s%s", i ? ", " : "", list->at(i)->name);
}
