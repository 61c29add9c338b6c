/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/text.h"

#include "lib/format.h"
#include "lib/minmax.h"
#include "lib/string.h"

/* Loaders and users have their words in it: no control characters, and nothing that a reader of the
 * stream would take for a record. */
static void make_harmless(char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~' ||
		    (text[i] == '@' && i + 1 < length && text[i + 1] == '{'))
			text[i] = '?';
}

__attribute__((format(printf, 2, 0))) static void line_list(const struct report *report,
							    const char *pattern, va_list list)
{
	char text[REPORT_COLUMNS + 2];
	size_t length = format_list(text, REPORT_COLUMNS + 1, pattern, list);

	if (length > REPORT_COLUMNS) {
		length = REPORT_COLUMNS;
		memcpy(text + length - 3, "...", 3);
	}
	make_harmless(text, length);
	text[length] = '\n';
	report->sink->write(report->sink->context, text, length + 1);
}

void report_line(const struct report *report, const char *pattern, ...)
{
	va_list list;

	va_start(list, pattern);
	line_list(report, pattern, list);
	va_end(list);
}

void report_heading(const struct report *report, const char *pattern, ...)
{
	va_list list;

	report->sink->write(report->sink->context, "\n", 1);
	va_start(list, pattern);
	line_list(report, pattern, list);
	va_end(list);
}

/* The last blank of `text` that leaves a line short enough, or where to cut a word that is too
 * long. */
static size_t line_break(const char *text, size_t length, size_t room)
{
	if (length <= room)
		return length;
	for (size_t i = room; i > 0; i--)
		if (text[i] == ' ')
			return i;
	return room;
}

void report_wrapped(const struct report *report, const char *pattern, ...)
{
	char text[REPORT_TEXT];
	va_list list;

	va_start(list, pattern);
	format_list(text, sizeof(text), pattern, list);
	va_end(list);
	report_wrapped_text(report, "", text);
}

void report_wrapped_text(const struct report *report, const char *lead, const char *text)
{
	static const char indent[] = "    ";
	size_t length = string_length(text, SIZE_MAX), end;
	const char *at = text;

	for (; length; lead = indent) {
		end = line_break(at, length, REPORT_COLUMNS - string_length(lead, REPORT_CELL));
		report_line(report, "%s%.*s", lead, (int)end, at);
		while (end < length && at[end] == ' ')
			end++;
		at += end;
		length -= end;
	}
}

uint32_t report_rows(const struct report *report, uint32_t total)
{
	return report->verbose ? total : min_u32(total, REPORT_ROWS);
}

void report_rest(const struct report *report, uint32_t total, const char *what)
{
	uint32_t shown = report_rows(report, total);

	if (shown < total)
		report_line(report, "... and %u more %s; verbose=on shows them all", total - shown,
			    what);
}

uint64_t report_ns(const struct report *report, uint64_t cycles)
{
	return report->tsc_hz ? mul_div_u64(cycles, 1000000000, report->tsc_hz) : 0;
}

char *report_ms(const struct report *report, char *to, uint64_t cycles)
{
	uint64_t ns = report_ns(report, cycles);
	/* 9999.999 and 999999.9 are the largest that fit, before rounding. */
	unsigned decimals = ns < 9999999500ull ? 3 : ns < 999999950000ull ? 1 : 0;

	return format_ratio(to, ns, report->tsc_hz ? 1000000 : 0, decimals);
}

char *report_size(char *to, uint64_t pages)
{
	enum { MIB_PAGES = 256, GIB_PAGES = 256 * 1024 };
	char number[REPORT_CELL];

	if (pages < 10 * MIB_PAGES)
		format(to, REPORT_CELL, "%llu KiB", (unsigned long long)pages * 4);
	else if (pages < 10 * GIB_PAGES)
		format(to, REPORT_CELL, "%s MiB", format_ratio(number, pages, MIB_PAGES, 1));
	else
		format(to, REPORT_CELL, "%s GiB", format_ratio(number, pages, GIB_PAGES, 1));
	return to;
}
