/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/text.h"

#include "lib/format.h"
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
	static const char indent[] = "    ";
	char text[REPORT_TEXT];
	const char *at = text;
	size_t length, end;
	va_list list;

	va_start(list, pattern);
	format_list(text, sizeof(text), pattern, list);
	va_end(list);
	length = string_length(text, sizeof(text));
	for (const char *lead = ""; length; lead = indent) {
		end = line_break(at, length, REPORT_COLUMNS - string_length(lead, sizeof(indent)));
		report_line(report, "%s%.*s", lead, (int)end, at);
		while (end < length && at[end] == ' ')
			end++;
		at += end;
		length -= end;
	}
}

uint32_t report_rows(const struct report *report, uint32_t total)
{
	return report->verbose || total < REPORT_ROWS ? total : REPORT_ROWS;
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

static void header_line(struct table *table, bool units)
{
	for (uint32_t i = 0; i < table->column_count; i++)
		table_text(table, units ? table->columns[i].unit : table->columns[i].title);
}

void table_begin(struct table *table, const struct report *report, const struct column *columns,
		 uint32_t count)
{
	bool any_unit = false;

	table->report = report;
	table->columns = columns;
	table->column_count = count;
	table->next = table->length = table->edge = 0;
	for (uint32_t i = 0; i < count; i++)
		any_unit |= columns[i].unit[0] != '\0';
	header_line(table, false);
	if (any_unit)
		header_line(table, true);
}

static void put_blanks(struct table *table, uint32_t until)
{
	while (table->length < until && table->length < REPORT_COLUMNS)
		table->line[table->length++] = ' ';
}

static void put_cell(struct table *table, const char *text)
{
	size_t length = string_length(text, REPORT_CELL);

	/* Past the limit the line is known to be cut by report_line. */
	if (table->length > REPORT_COLUMNS)
		return;
	memcpy(table->line + table->length, text, length);
	table->length += (uint32_t)length;
}

static void end_row(struct table *table)
{
	while (table->length && table->line[table->length - 1] == ' ')
		table->length--;
	table->line[table->length] = '\0';
	report_line(table->report, "%s", table->line);
	table->next = table->length = table->edge = 0;
}

void table_text(struct table *table, const char *text)
{
	int width = table->columns[table->next].width;
	uint32_t length = (uint32_t)string_length(text, REPORT_CELL);

	if (table->next) {
		table->edge++;
		put_blanks(table, table->length + 1);
	}
	if (width < 0) {
		put_cell(table, text);
		table->edge += (uint32_t)-width;
		put_blanks(table, table->edge);
	} else {
		table->edge += (uint32_t)width;
		if (table->edge > length)
			put_blanks(table, table->edge - length);
		put_cell(table, text);
	}
	if (++table->next == table->column_count)
		end_row(table);
}

void table_u64(struct table *table, uint64_t value)
{
	char text[REPORT_CELL];

	format(text, sizeof(text), "%llu", (unsigned long long)value);
	table_text(table, text);
}

void table_hex(struct table *table, uint64_t value)
{
	char text[REPORT_CELL];

	format(text, sizeof(text), "0x%llx", (unsigned long long)value);
	table_text(table, text);
}

void table_ratio(struct table *table, uint64_t numerator, uint64_t denominator, unsigned decimals)
{
	char text[REPORT_CELL];

	table_text(table, format_ratio(text, numerator, denominator, decimals));
}

void table_ms(struct table *table, uint64_t cycles)
{
	char text[REPORT_CELL];

	table_text(table, report_ms(table->report, text, cycles));
}

void table_ns(struct table *table, uint64_t cycles)
{
	if (table->report->tsc_hz)
		table_u64(table, report_ns(table->report, cycles));
	else
		table_text(table, "-");
}

void table_ms_of(struct table *table, const struct summary *of, uint64_t cycles)
{
	if (of->count)
		table_ms(table, cycles);
	else
		table_text(table, "-");
}

void table_spread(struct table *table, const struct summary *cycles)
{
	table_ms_of(table, cycles, cycles->mean);
	table_ms_of(table, cycles, cycles->min);
	table_ms_of(table, cycles, cycles->median);
	table_ms_of(table, cycles, cycles->max);
	if (cycles->count > 1)
		table_ms(table, cycles->stddev);
	else
		table_text(table, "-");
}

void table_speedup(struct table *table, uint64_t baseline_cycles, uint64_t cycles)
{
	table_ratio(table, baseline_cycles, baseline_cycles ? cycles : 0, 2);
}

void table_rates(struct table *table, uint64_t cycles, uint64_t pages)
{
	uint64_t ns = report_ns(table->report, cycles);

	table_ratio(table, ns, ns ? pages : 0, 2);
	/* Bytes per nanosecond. */
	table_ratio(table, mul_div_u64(pages, table->report->descriptor_bytes, 1), ns, 2);
}
