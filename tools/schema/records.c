/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/schema/records.h"

#include <stdio.h>
#include <string.h>

#include "experiments/record_types.h"

static json_t *text(const char *value)
{
	return json_string(value);
}

/* The ending of a name, where it is a unit. */
static const char *unit_of(const char *name)
{
	static const char *const units[] = {
		"millicycles", "cycles", "bytes", "pages", "blocks", "sections", "mbps", "bps",
		"ns", "ps", "hz", "pfn", "tsc", "milli", "centipercent", "ratio_e5",
	};
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t unit = strlen(units[i]);

		if (length == unit && !strcmp(name, units[i]))
			return units[i];
		if (length > unit && name[length - unit - 1] == '_' &&
		    !strcmp(name + length - unit, units[i]))
			return units[i];
	}
	return NULL;
}

static json_t *words_of(const struct field *field)
{
	json_t *words = json_array();

	for (uint32_t i = 0; i < field->words; i++)
		json_array_append_new(words, text(field->word(i)));
	return words;
}

static bool is_text(const struct field *field)
{
	return field->storage == STORAGE_TEXT || field->storage == STORAGE_CHARS;
}

static json_t *schema_of_value(const struct field *field)
{
	json_t *value = json_object();

	if (field->as == AS_CONSTANT) {
		json_object_set_new(value, "const", text(field->constant));
	} else if (field->as == AS_WORD) {
		json_object_set_new(value, "enum", words_of(field));
	} else if (is_text(field)) {
		json_object_set_new(value, "type", text("string"));
	} else if (field->storage == STORAGE_BOOL) {
		json_object_set_new(value, "type", text("boolean"));
	} else {
		json_object_set_new(value, "type", text("integer"));
		if (field->none_is_minus_one)
			json_object_set_new(value, "minimum", json_integer(-1));
		else if (field->storage != STORAGE_I32 && field->storage != STORAGE_I64)
			json_object_set_new(value, "minimum", json_integer(0));
		if (unit_of(field->name))
			json_object_set_new(value, "x-unit", text(unit_of(field->name)));
	}
	if (field->meaning && field->meaning[0])
		json_object_set_new(value, "description", text(field->meaning));
	return value;
}

static bool is_always_there(const struct field *field)
{
	return field->always_recorded || !(field->present_storage || field->unless_zero ||
					   field->unless_all_ones);
}

static void add_field(json_t *properties, json_t *required, const struct field *field,
		      const char *name)
{
	json_object_set_new(properties, name, schema_of_value(field));
	if (is_always_there(field))
		json_array_append_new(required, text(name));
}

/* Each copy under its own name. */
static void add_copies(json_t *properties, json_t *required, const struct field *field)
{
	for (uint32_t copy = 0; copy < field->copies; copy++) {
		const char *place = strstr(field->name, "%s");
		char name[64], index[12];

		snprintf(index, sizeof(index), "%u", copy);
		snprintf(name, sizeof(name), "%.*s%s%s", (int)(place - field->name), field->name,
			 field->copy_name ? field->copy_name(copy) : index, place + 2);
		add_field(properties, required, field, name);
	}
}

static json_t *schema_of_type(const struct record_type *type)
{
	json_t *schema = json_object(), *properties = json_object(), *required = json_array();
	json_t *constant = json_pack("{s:s}", "const", type->type);

	json_object_set_new(properties, "seq", json_pack("{s:s,s:i}", "type", "integer",
							 "minimum", 0));
	json_object_set_new(properties, "type", constant);
	json_object_set_new(properties, "truncated", json_pack("{s:b}", "const", 1));
	json_array_append_new(required, text("seq"));
	json_array_append_new(required, text("type"));
	for (uint32_t i = 0; i < type->count; i++) {
		const struct field *field = &type->fields[i];

		if (field->name && field->copies)
			add_copies(properties, required, field);
		else if (field->name)
			add_field(properties, required, field, field->name);
	}
	json_object_set_new(schema, "title", text(type->type));
	json_object_set_new(schema, "description", text(type->when));
	json_object_set_new(schema, "type", text("object"));
	json_object_set_new(schema, "properties", properties);
	json_object_set_new(schema, "required", required);
	json_object_set_new(schema, "additionalProperties", json_false());
	return schema;
}

json_t *schema_of_records(void)
{
	json_t *schema = json_object(), *any = json_array();

	for (const struct record_type *const *type = record_types; *type; type++)
		json_array_append_new(any, schema_of_type(*type));
	json_object_set_new(schema, "$schema",
			    text("https://json-schema.org/draft/2020-12/schema"));
	json_object_set_new(schema, "title", text("a record of memmap-lab's report"));
	json_object_set_new(schema, "anyOf", any);
	return schema;
}
