/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/memory_map.h"

#include "lib/page_units.h"

struct range_row {
	uint64_t start, end, kib;
	enum memory_type type;
};

static const struct field fields[] = {
	FIELD(struct range_row, start, AS_HEX, .name = "start", .title = "start", .width = 18),
	FIELD(struct range_row, end, AS_HEX, .name = "end", .title = "end (exclusive)", .width = 18,
	      .meaning = "exclusive"),
	FIELD(struct range_row, kib, AS_NUMBER, .title = "size", .unit = "KiB", .width = 14),
	FIELD(struct range_row, type, AS_WORD, WORDS(memory_type_name, MEMORY_TYPES),
	      .name = "kind", .title = "kind", .width = -16),
};
const struct record_type range_record =
	RECORD_TYPE("range", "one per range of the sanitised memory map", fields);

static struct range_row row_of(const struct memory_range *range)
{
	return (struct range_row){
		.start = range->start_pfn * PAGE_BYTES,
		.end = range->end_pfn * PAGE_BYTES,
		.kib = (range->end_pfn - range->start_pfn) * PAGE_BYTES >> 10,
		.type = range->type,
	};
}

void report_memory_map(struct report *report, const struct memory_map *map)
{
	struct field_table table;
	char size[REPORT_CELL];

	report_heading(report, "memory map: %u ranges, %s usable", map->count,
		       report_size(size, map->usable_pages));
	field_table_begin(&table, report, FIELDS(fields));
	for (uint32_t i = 0; i < report_rows(report, map->count); i++) {
		const struct range_row row = row_of(&map->ranges[i]);

		field_table_row(&table, &row);
	}
	report_rest(report, map->count, "ranges");
	for (uint32_t i = 0; i < map->count; i++) {
		const struct range_row row = row_of(&map->ranges[i]);

		field_record(&report->records, &range_record, &row);
	}
}
