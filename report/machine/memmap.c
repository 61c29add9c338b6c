/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/memmap.h"

#include "lib/page_units.h"
#include "report/table.h"
#include "report/text.h"

/* Sections per node, by where their struct pages lie. */
static void count_sections(struct report *report, const struct memmap *memmap, uint32_t node_count)
{
	for (uint32_t i = 0; i < node_count; i++)
		report->home_sections[i] = report->remote_sections[i] = 0;
	for (uint64_t i = 0; i < memmap->count; i++) {
		const struct memmap_section *section = &memmap->sections[i];

		if (section->node >= node_count)
			continue;
		if (section->backing_node == section->node)
			report->home_sections[section->node]++;
		else
			report->remote_sections[section->node]++;
	}
}

static void memmap_table(struct report *report, uint32_t node_count)
{
	static const struct column columns[] = {
		{ "node", "", 4 },
		{ "sections", "128 MiB", 10 },
		{ "struct pages", "", 13 },
		{ "memmap", "MiB", 10 },
		{ "on the node", "sections", 12 },
		{ "elsewhere", "sections", 12 },
	};
	struct table table;

	table_begin(&table, report, columns, 6);
	for (uint32_t i = 0; i < report_rows(report, node_count); i++) {
		uint64_t sections = (uint64_t)report->home_sections[i] + report->remote_sections[i];

		table_u64(&table, i);
		table_u64(&table, sections);
		table_u64(&table, sections * SECTION_PAGES);
		table_u64(&table, sections * SECTION_PAGES * STRUCT_PAGE_BYTES >> 20);
		table_u64(&table, report->home_sections[i]);
		table_u64(&table, report->remote_sections[i]);
	}
	report_rest(report, node_count, "nodes");
}

static const char *place_name(enum place place)
{
	switch (place) {
	case PLACE_LOCAL:
		return "local";
	case PLACE_REMOTE:
		return "remote";
	case PLACE_INTERLEAVE:
		break;
	}
	return "interleave";
}

/* Smaller descriptors do not fill what is there for struct pages. */
static void descriptors_line(const struct report *report)
{
	if (report->descriptor_bytes != STRUCT_PAGE_BYTES)
		report_line(report,
			    "%u bytes of each slot are used: packed, the first %llu KiB of every "
			    "section's 2 MiB",
			    report->descriptor_bytes,
			    SECTION_PAGES * (unsigned long long)report->descriptor_bytes >> 10);
}

static void mapping_lines(const struct report *report, const struct memmap *memmap)
{
	report_line(report,
		    "placed %s; mapped by %llu pages of 4 KiB, %llu of 2 MiB, %llu of 1 GiB",
		    place_name(memmap->place), (unsigned long long)memmap->mapped_pages[VMEMMAP_4K],
		    (unsigned long long)memmap->mapped_pages[VMEMMAP_2M],
		    (unsigned long long)memmap->mapped_pages[VMEMMAP_1G]);
	/* a page of 2 MiB maps one section */
	if (report->asked_vmemmap == VMEMMAP_1G && memmap->mapped_pages[VMEMMAP_2M])
		report_line(report, "1 GiB asked for, 2 MiB used for %llu of %llu sections",
			    (unsigned long long)memmap->mapped_pages[VMEMMAP_2M],
			    (unsigned long long)memmap->count);
}

void report_memmap(struct report *report, const struct memmap *memmap,
		   const struct topology *topology)
{
	struct record_stream *records = &report->records;
	bool struct_pages = report->descriptor_bytes == STRUCT_PAGE_BYTES;
	uint64_t pages = memmap->count * SECTION_PAGES;
	char size[REPORT_CELL];

	count_sections(report, memmap, topology->node_count);
	report_heading(report, "memmap: %llu %s of %llu bytes, %s, at 0x%llx",
		       (unsigned long long)pages, struct_pages ? "struct pages" : "slots",
		       STRUCT_PAGE_BYTES, report_size(size, pages * STRUCT_PAGE_BYTES / PAGE_BYTES),
		       (unsigned long long)(uintptr_t)memmap->base);
	descriptors_line(report);
	mapping_lines(report, memmap);
	memmap_table(report, topology->node_count);
	record_begin(records, "memmap");
	record_u64(records, "sections", memmap->count);
	record_u64(records, "pages", pages);
	record_u64(records, "bytes", pages * STRUCT_PAGE_BYTES);
	record_u64(records, "remote_sections", memmap->remote_sections);
	record_text(records, "place", place_name(memmap->place));
	record_u64(records, "mapped_4k_pages", memmap->mapped_pages[VMEMMAP_4K]);
	record_u64(records, "mapped_2m_pages", memmap->mapped_pages[VMEMMAP_2M]);
	record_u64(records, "mapped_1g_pages", memmap->mapped_pages[VMEMMAP_1G]);
	record_end(records);
}
