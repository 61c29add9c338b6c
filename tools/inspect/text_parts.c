/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/text_parts.h"

#include <string.h>

#include "lib/format.h"
#include "lib/page_units.h"

struct size_text size_of(uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	struct size_text size;
	char number[32];
	unsigned unit = 0;

	while (unit < 4 && bytes >> 10 * (unit + 1) != 0)
		unit++;
	format_ratio(number, bytes, 1ull << 10 * unit, bytes % (1ull << 10 * unit) ? 1 : 0);
	snprintf(size.text, sizeof(size.text), bytes ? "%s %s" : "0", number, units[unit]);
	return size;
}

struct size_text size_of_pages(uint64_t pages)
{
	return size_of(pages << PAGE_SHIFT);
}

void print_wrapped(FILE *to, const char *text, int indent)
{
	int column = indent;

	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column > indent && column + 1 + length > TEXT_COLUMNS - 1) {
			fprintf(to, "\n%*s", indent, "");
			column = indent;
		}
		column += fprintf(to, column > indent ? " %.*s" : "%.*s", length, text);
		text += length + (text[length] == ' ');
	}
	putc('\n', to);
}
