/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Reads the tables of the report that was taken: by a part of their heading, row by its first cell,
 * cell by the title of its column. Records are read by report_records.h.
 *
 *	assert_string_equal(cell("time of the slowest node", "node", "speed-up"), "1.00");
 */
#include <stdbool.h>
#include <string.h>

#include "tests/host/report_records.h"

static inline size_t line_length(const char *line)
{
	return strcspn(line, "\n");
}

static inline const char *next_line(const char *line)
{
	line += line_length(line);
	return *line ? line + 1 : line;
}

/* The first line of the table's head, below the first line that has `heading` in it; NULL: none. */
static inline const char *find_table(const char *heading)
{
	const char *at = strstr(output, heading);

	return at ? next_line(at) : NULL;
}

/* The line whose first word or words, blanks before them left out, are `label`; NULL: none. */
static inline const char *find_row_line(const char *table, const char *label)
{
	size_t length = strlen(label);

	for (; *table && *table != '\n'; table = next_line(table)) {
		const char *at = table + strspn(table, " ");

		if (!strncmp(at, label, length) && (at[length] == ' ' || at[length] == '\n'))
			return table;
	}
	return NULL;
}

/* Where the words `title` of a line of the head begin and end, apart from their neighbours; false:
 * not there. */
static inline bool find_title(const char *line, const char *title, size_t *start, size_t *end)
{
	size_t length = strlen(title), all = line_length(line);

	for (size_t i = 0; i + length <= all; i++)
		if (!strncmp(line + i, title, length) && (!i || line[i - 1] == ' ') &&
		    (i + length == all || line[i + length] == ' ')) {
			*start = i;
			*end = i + length;
			return true;
		}
	return false;
}

/* Whether some title or unit of the head ends at this place. */
static inline bool ends_column(const char *head, size_t end)
{
	for (int i = 0; i < 2; i++, head = next_line(head))
		if (end && end <= line_length(head) && head[end - 1] != ' ' &&
		    (end == line_length(head) || head[end] == ' '))
			return true;
	return false;
}

/*
 * The cell that ends where its right-aligned title does, or begins where its left-aligned title
 * does. A cell of several words, such as "4 to 16", is taken whole: its words end under no title.
 */
static inline const char *cut_cell(const char *head, const char *line, size_t start, size_t end)
{
	static char cell[128];
	size_t all = line_length(line), from, to = end;

	if (end <= all && line[end - 1] != ' ' && (end == all || line[end] == ' ')) {
		for (from = end; from && (line[from - 1] != ' ' ||
					  (from > 1 && line[from - 2] != ' ' &&
					   !ends_column(head, from - 1))); from--)
			;
	} else {
		for (from = start, to = start; to < all && line[to] != ' '; to++)
			;
	}
	snprintf(cell, sizeof(cell), "%.*s", (int)(to - from), line + from);
	return cell;
}

/* `title`: of the column, its upper or its lower line; "upper|lower" where either stands over
 * several columns. The text is kept until the next call. */
static inline const char *cell(const char *heading, const char *label, const char *title)
{
	const char *head = find_table(heading), *line, *bar = strchr(title, '|');
	char upper[64], lower[64];
	size_t start, end, other_start, other_end;

	if (!head || !(line = find_row_line(head, label)))
		fail_msg("no row %s below %s", label, heading);
	snprintf(upper, sizeof(upper), "%.*s", bar ? (int)(bar - title) : (int)strlen(title),
		 title);
	snprintf(lower, sizeof(lower), "%s", bar ? bar + 1 : "");
	for (size_t from = 0; bar; from = start + 1) {
		if (!find_title(head + from, upper, &start, &end))
			fail_msg("no column %s below %s", title, heading);
		start += from;
		end += from;
		for (size_t at = 0; find_title(next_line(head) + at, lower, &other_start,
					       &other_end); at += other_start + 1)
			if (at + other_end == end || at + other_start == start)
				return cut_cell(head, line, start, end);
	}
	if (!find_title(head, upper, &start, &end) &&
	    !find_title(next_line(head), upper, &start, &end))
		fail_msg("no column %s below %s", title, heading);
	return cut_cell(head, line, start, end);
}
