/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/table.h"

#include "lib/format.h"
#include "lib/string.h"

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

void table_ratio(struct table *table, uint64_t numerator, uint64_t denominator, unsigned decimals)
{
	char text[REPORT_CELL];

	table_text(table, format_ratio(text, numerator, denominator, decimals));
}

static void table_ms(struct table *table, uint64_t cycles)
{
	char text[REPORT_CELL];

	table_text(table, report_ms(table->report, text, cycles));
}

void table_ms_of(struct table *table, const struct summary *of, uint64_t cycles)
{
	if (of->count)
		table_ms(table, cycles);
	else
		table_text(table, "-");
}

void table_speedup(struct table *table, uint64_t baseline_cycles, uint64_t cycles)
{
	table_ratio(table, baseline_cycles, baseline_cycles ? cycles : 0, 2);
}
