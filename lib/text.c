/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/text.h"

#include "lib/assert.h"
#include "lib/format.h"
#include "lib/string.h"

struct text text_in(char *to, size_t size)
{
	lab_assert(size);
	to[0] = '\0';
	return (struct text){ .to = to, .size = size };
}

static void mark_cut(struct text *text)
{
	static const char mark[] = "...";

	text->cut = true;
	text->length = text->size - 1;
	if (text->size >= sizeof(mark))
		memcpy(text->to + text->size - sizeof(mark), mark, sizeof(mark));
}

__attribute__((format(printf, 2, 0))) static void add_list(struct text *text, const char *pattern,
							   va_list list)
{
	size_t room = text->size - text->length, wanted;

	if (text->cut)
		return;
	wanted = format_list(text->to + text->length, room, pattern, list);
	if (wanted >= room)
		mark_cut(text);
	else
		text->length += wanted;
}

void text_add(struct text *text, const char *pattern, ...)
{
	va_list list;

	va_start(list, pattern);
	add_list(text, pattern, list);
	va_end(list);
}

void text_add_item(struct text *text, const char *pattern, ...)
{
	va_list list;

	if (text->length)
		text_add(text, ", ");
	va_start(list, pattern);
	add_list(text, pattern, list);
	va_end(list);
}

void text_add_numbers(struct text *text, uint32_t count,
		      bool (*holds)(const void *context, uint32_t number), const void *context)
{
	const char *before = "";
	uint32_t end;

	for (uint32_t i = 0; i < count; i = end + 1) {
		end = i;
		if (!holds(context, i))
			continue;
		while (end + 1 < count && holds(context, end + 1))
			end++;
		if (end > i + 1)
			text_add(text, "%s%u-%u", before, i, end);
		else if (end > i)
			text_add(text, "%s%u, %u", before, i, end);
		else
			text_add(text, "%s%u", before, i);
		before = ", ";
	}
}
