/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/words.h"

#include "lib/format.h"
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

size_t word_names(const struct word_list *list, char *text, size_t size)
{
	size_t length = 0;

	if (size)
		text[0] = '\0';
	for (uint32_t i = 0; i < list->count; i++) {
		size_t left = length < size ? size - length : 0;

		length += format(text + (left ? length : 0), left, "%s%s", i ? ", " : "",
				 list->at(i)->name);
	}
	return length;
}
