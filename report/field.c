/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/field.h"

#include "lib/assert.h"
#include "lib/format.h"
#include "lib/stats.h"
#include "lib/string.h"

enum { NAME_MAX = 48 };

/* ---- members -------------------------------------------------------------------------------- */

static uint64_t number_at(const void *row, uint32_t offset, uint8_t storage)
{
	const char *at = (const char *)row + offset;

	switch (storage) {
	case STORAGE_U8:
		return *(const uint8_t *)at;
	case STORAGE_U16:
		return *(const uint16_t *)(const void *)at;
	case STORAGE_U32:
		return *(const uint32_t *)(const void *)at;
	case STORAGE_I32:
		return (uint64_t)(int64_t)*(const int32_t *)(const void *)at;
	case STORAGE_U64:
	case STORAGE_I64:
		return *(const uint64_t *)(const void *)at;
	case STORAGE_BOOL:
		return *(const bool *)(const void *)at;
	case STORAGE_TEXT:
		return *(const char *const *)(const void *)at != NULL;
	case STORAGE_CHARS:
		return *at != '\0';
	default:
		return 0;
	}
}

static const char *text_at(const void *row, uint32_t offset, uint8_t storage)
{
	const char *at = (const char *)row + offset;
	const char *text = storage == STORAGE_TEXT ? *(const char *const *)(const void *)at : at;

	return text ? text : "";
}

static bool all_ones(uint64_t number, uint8_t storage)
{
	switch (storage) {
	case STORAGE_U8:
		return number == UINT8_MAX;
	case STORAGE_U16:
		return number == UINT16_MAX;
	case STORAGE_U32:
		return number == UINT32_MAX;
	default:
		return number == UINT64_MAX;
	}
}

static bool is_signed(const struct field *field)
{
	return field->storage == STORAGE_I32 || field->storage == STORAGE_I64;
}

/* `moved`: bytes from the first copy. */
static bool is_known(const struct field *field, const void *row, uint32_t moved)
{
	uint64_t number = number_at(row, field->offset + moved, field->storage);
	uint32_t present = field->present + (field->present_is_copied ? moved : 0);

	if (field->present_storage &&
	    number_at(row, present, field->present_storage) < (field->least ? field->least : 1))
		return false;
	return !(field->unless_zero && !number) &&
	       !(field->unless_all_ones && all_ones(number, field->storage));
}

/* ---- records -------------------------------------------------------------------------------- */

static void record_one(struct record_stream *records, const struct field *field, const char *name,
		       const void *row, uint32_t moved)
{
	uint64_t number = number_at(row, field->offset + moved, field->storage);

	if (field->as == AS_CONSTANT)
		record_text(records, name, field->constant);
	else if (field->as == AS_WORD)
		record_text(records, name, field->word((uint32_t)number));
	else if (field->storage == STORAGE_TEXT || field->storage == STORAGE_CHARS)
		record_text(records, name, text_at(row, field->offset + moved, field->storage));
	else if (field->storage == STORAGE_BOOL)
		record_bool(records, name, number);
	else if (field->none_is_minus_one && all_ones(number, field->storage))
		record_i64(records, name, -1);
	else if (is_signed(field))
		record_i64(records, name, (int64_t)number);
	else
		record_u64(records, name, number);
}

/* `pattern` with `copy` in the place of its %s. */
static void name_copy(char name[NAME_MAX], const char *pattern, const char *copy)
{
	size_t before = 0;

	while (pattern[before] && !(pattern[before] == '%' && pattern[before + 1] == 's'))
		before++;
	format(name, NAME_MAX, "%.*s%s%s", (int)before, pattern, pattern[before] ? copy : "",
	       pattern[before] ? pattern + before + 2 : "");
}

static void record_copy(struct record_stream *records, const struct field *field, const void *row,
			uint32_t copy)
{
	char name[NAME_MAX], index[12];
	uint32_t moved = copy * field->stride;

	if (!field->always_recorded && !is_known(field, row, moved))
		return;
	format(index, sizeof(index), "%u", copy);
	name_copy(name, field->name, field->copy_name ? field->copy_name(copy) : index);
	record_one(records, field, name, row, moved);
}

void field_record(struct record_stream *records, const struct record_type *type, const void *row)
{
	if (!records->enabled)
		return;
	record_begin(records, type->type);
	for (uint32_t i = 0; i < type->count; i++) {
		const struct field *field = &type->fields[i];

		if (!field->name)
			continue;
		for (uint32_t copy = 0; copy < field->copies; copy++)
			record_copy(records, field, row, copy);
		if (!field->copies && (field->always_recorded || is_known(field, row, 0)))
			record_one(records, field, field->name, row, 0);
	}
	record_end(records);
}

/* ---- tables --------------------------------------------------------------------------------- */

/* Everything that divides. */
static char *ratio_cell(const struct report *report, const struct field *field, const void *row,
			char *to)
{
	uint64_t number = number_at(row, field->offset, field->storage);
	uint64_t per = number_at(row, field->per, field->per_storage);
	uint64_t ns;

	switch (field->as) {
	case AS_US:
		return format_ratio(to, report_ns(report, number), report->tsc_hz ? 1000 : 0,
				    field->decimals);
	case AS_SCALED:
		return format_ratio(to, number, field->scale, field->decimals);
	case AS_PERCENT:
		return format_ratio(to, mul_div_u64(number, 100, 1), per, field->decimals);
	case AS_PER_1000:
		return format_ratio(to, mul_div_u64(number, 1000, 1), per, field->decimals);
	case AS_NS_PER:
		ns = report_ns(report, number);
		return format_ratio(to, ns, ns ? per : 0, field->decimals);
	case AS_GB_PER_S:
		return format_ratio(to, mul_div_u64(number, report->descriptor_bytes, 1),
				    report_ns(report, per), field->decimals);
	default:
		return format_ratio(to, number, per, field->decimals);
	}
}

static char *change_cell(const struct field *field, int64_t change, char *to)
{
	uint64_t amount = change < 0 ? -(uint64_t)change : (uint64_t)change;
	char percent[REPORT_CELL];

	format_ratio(percent, amount, 100, field->decimals);
	format(to, REPORT_CELL, "%c%.30s", change < 0 ? '-' : '+', percent);
	return to;
}

static char *number_cell(const struct field *field, uint64_t number, char *to)
{
	if (is_signed(field))
		format(to, REPORT_CELL, "%lld", (long long)number);
	else if (field->as == AS_HEX)
		format(to, REPORT_CELL, "0x%llx", (unsigned long long)number);
	else
		format(to, REPORT_CELL, "%llu", (unsigned long long)number);
	return to;
}

char *field_cell(const struct report *report, const struct field *field, const void *row, char *to)
{
	uint64_t number = number_at(row, field->offset, field->storage);
	const char *text = "-";

	if (is_known(field, row, 0)) {
		if (field->plain_zero && !number)
			return number_cell(field, 0, to);
		switch (field->as) {
		case AS_NUMBER:
		case AS_HEX:
			return number_cell(field, number, to);
		case AS_MS:
			return report_ms(report, to, number);
		case AS_CHANGE:
			return change_cell(field, (int64_t)number, to);
		case AS_SIZE:
			return report_size(to, number);
		case AS_TEXT:
			text = text_at(row, field->offset, field->storage);
			break;
		case AS_WORD:
			text = field->word((uint32_t)number);
			break;
		case AS_BOOL:
			text = number ? "yes" : "no";
			break;
		case AS_NS:
			return report->tsc_hz ? number_cell(field, report_ns(report, number), to) :
						format_ratio(to, 0, 0, 0);
		default:
			return ratio_cell(report, field, row, to);
		}
	}
	string_copy(to, text, REPORT_CELL);
	return to;
}

void field_table_begin(struct field_table *table, const struct report *report,
		       const struct field *fields, uint32_t count)
{
	const uint32_t most = sizeof(table->columns) / sizeof(table->columns[0]);
	uint32_t columns = 0;

	table->fields = fields;
	table->count = count;
	for (uint32_t i = 0; i < count; i++) {
		if (!fields[i].title)
			continue;
		lab_assert(columns < most);
		table->columns[columns++] = (struct column){
			fields[i].title, fields[i].unit ? fields[i].unit : "", fields[i].width
		};
	}
	table_begin(&table->table, report, table->columns, columns);
}

void field_table_row(struct field_table *table, const void *row)
{
	char cell[REPORT_CELL];

	for (uint32_t i = 0; i < table->count; i++)
		if (table->fields[i].title)
			table_text(&table->table, field_cell(table->table.report,
							     &table->fields[i], row, cell));
}
