/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * One description for every fact that the report tells: an array of struct field for a struct gives
 * the record, the table, the JSON Schema and the page of documentation.
 *
 *	static const struct field fields[] = {
 *		FIELD_CONSTANT("experiment", "init"),
 *		FIELD(struct row, policy, AS_WORD, WORDS(policy_name, POLICY_COUNT),
 *		      .name = "policy", .title = "policy", .width = -10),
 *		FIELD(struct row, cycles.median, AS_MS, IF(struct row, cycles.count),
 *		      .name = "median_cycles", .title = "median", .unit = "ms", .width = 8,
 *		      .meaning = "of the warm runs"),
 *	};
 *	const struct record_type init_result_record = RECORD_TYPE("result", "summaries", fields);
 *
 *	field_record(&report->records, &init_result_record, &row);
 *	field_table_begin(&table, report, FIELDS(fields));
 *	field_table_row(&table, &row);
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/record.h"
#include "report/report.h"
#include "report/table.h"
#include "report/text.h"

/* What a member is made of. FIELD finds it out. */
enum field_storage {
	STORAGE_NONE,
	STORAGE_U8,
	STORAGE_U16,
	STORAGE_U32, /* enums, too */
	STORAGE_U64,
	STORAGE_I32,
	STORAGE_I64,
	STORAGE_BOOL,
	STORAGE_TEXT,  /* const char *; NULL is a missing text */
	STORAGE_CHARS, /* char[], ending in a NUL */
};

/* How a person reads it in a table. A record has the number itself, or the text. `per` is a second
 * member of the row; "-" stands where it is 0. */
enum field_as {
	AS_NUMBER,
	AS_HEX,
	AS_TEXT,
	AS_BOOL,     /* yes, no */
	AS_WORD,     /* an enum, by its name, in records as well */
	AS_CONSTANT, /* in records only: always the same text */
	AS_MS,       /* cycles, as milliseconds */
	AS_NS,       /* cycles, as nanoseconds */
	AS_US,       /* cycles, as microseconds with .decimals */
	AS_SIZE,     /* pages, as KiB, MiB or GiB */
	AS_SCALED,   /* divided by .scale, with .decimals */
	AS_RATIO,    /* divided by `per`, with .decimals */
	AS_PERCENT,  /* of `per`, with .decimals */
	AS_PER_1000, /* events among 1000 of `per`, with .decimals */
	AS_CHANGE,   /* hundredths of a percent, as percent with a sign and .decimals */
	AS_NS_PER,   /* cycles, as nanoseconds divided by `per`, with .decimals */
	AS_GB_PER_S, /* pages of struct pages stored in `per` cycles, 10^9 bytes a second */
};

struct field {
	/* In the record: the name, which ends in the unit, and for documentation what the name does
	 * not say. NULL: the record does not have it. */
	const char *name, *meaning;
	/* In the table: the two lines of the column's head. NULL: the table does not have it. */
	const char *title, *unit;
	const char *constant;
	const char *(*word)(uint32_t value);
	uint32_t words; /* values that `word` knows, from 0 */
	uint32_t scale;
	uint32_t offset, per, present;
	uint32_t least; /* see IF */
	/* An array of `copies`, each with its own name in the record: `name` has a %s for what
	 * `copy_name` says, or for the index where that is NULL. Not in tables. `stride`: bytes
	 * from one to the next. */
	uint32_t copies, stride;
	const char *(*copy_name)(uint32_t copy);
	int8_t width; /* of the column; negative: left-aligned */
	uint8_t storage, per_storage, present_storage; /* enum field_storage */
	uint8_t as;                                    /* enum field_as */
	uint8_t decimals;
	/* Not in the record and "-" in the table where it is 0, or the largest number of its type
	 * (such as NODE_NONE). */
	bool unless_zero, unless_all_ones;
	bool plain_zero;        /* in the table 0 has no decimals: 0.00 is more than nothing */
	bool always_recorded;   /* these conditions and IF are the table's alone */
	bool none_is_minus_one; /* the record tells the largest number as -1 */
	bool present_is_copied; /* each copy has a `present` of its own, `stride` apart */
};

/* gcc and clang give an array of char the type char *, a pointer to text is const char *. */
#define FIELD_STORAGE(row, member)                                                               \
	_Generic(((row *)0)->member,                                                             \
		bool: STORAGE_BOOL, uint8_t: STORAGE_U8, uint16_t: STORAGE_U16,                  \
		uint32_t: STORAGE_U32, uint64_t: STORAGE_U64, unsigned long long: STORAGE_U64,   \
		int32_t: STORAGE_I32, int64_t: STORAGE_I64, const char *: STORAGE_TEXT,          \
		char *: STORAGE_CHARS)

#define FIELD(row, member, how, ...)                                                             \
	{                                                                                        \
		.as = (how), .offset = offsetof(row, member),                                    \
		.storage = FIELD_STORAGE(row, member), __VA_ARGS__                               \
	}
#define FIELD_CONSTANT(name_, text)                                                              \
	{                                                                                        \
		.as = AS_CONSTANT, .name = (name_), .constant = (text)                           \
	}

/* The second member of a ratio. */
#define PER(row, member) .per = offsetof(row, member), .per_storage = FIELD_STORAGE(row, member)

/* Only where `member` is at least `.least`, or 1 without it: otherwise the record is without the
 * field, and the table has "-". */
#define IF(row, member)                                                                          \
	.present = offsetof(row, member), .present_storage = FIELD_STORAGE(row, member)

#define WORDS(function, count) .word = (function), .words = (count)

/* The six fields of a summary of cycles, five of them columns. */
#define FIELD_SUMMARY(row, member)                                                               \
	FIELD(row, member.count, AS_NUMBER, .name = "count", .meaning = "samples"),              \
	FIELD_SPREAD(row, member, mean, "mean", 1, ""),                                          \
	FIELD_SPREAD(row, member, min, "min", 1, ""),                                            \
	FIELD_SPREAD(row, member, median, "median", 1, ""),                                      \
	FIELD_SPREAD(row, member, max, "max", 1, ""),                                            \
	FIELD_SPREAD(row, member, stddev, "stddev", 2, "0 where `count` is 1: unknown")
#define FIELD_SPREAD(row, member, which, label, least_, meaning_)                                \
	FIELD(row, member.which, AS_MS, IF(row, member.count), .least = (least_),                \
	      .always_recorded = true, .name = label "_cycles", .title = label, .unit = "ms",    \
	      .width = 8, .meaning = meaning_)

/* An array of struct field with its length, for functions that take both. */
#define FIELDS(fields) (fields), (uint32_t)(sizeof(fields) / sizeof((fields)[0]))

struct record_type {
	const char *type;
	const char *when; /* for documentation: which things there is one of, or when */
	const struct field *fields;
	uint32_t count;
};
#define RECORD_TYPE(type_, when_, fields_)                                                       \
	{                                                                                        \
		.type = (type_), .when = (when_), .fields = (fields_),                           \
		.count = (uint32_t)(sizeof(fields_) / sizeof((fields_)[0]))                      \
	}

/* Writes one record: the fields that have a name, in their order. */
void field_record(struct record_stream *records, const struct record_type *type, const void *row);

/* Writes the head of a table with the columns of those fields that have a title, and keeps
 * `fields`, which must live as long as the table. */
struct field_table {
	struct table table;
	const struct field *fields;
	uint32_t count;
	struct column columns[24];
};
void field_table_begin(struct field_table *table, const struct report *report,
		       const struct field *fields, uint32_t count);

/* Writes one row of it. */
void field_table_row(struct field_table *table, const void *row);

/* What a table shows of one field, into and out of `to`, which holds REPORT_CELL bytes. */
char *field_cell(const struct report *report, const struct field *field, const void *row,
		 char *to);
