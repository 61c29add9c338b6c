/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/memmap.h"

#include "lib/page_units.h"

struct node_row {
	uint32_t node;
	uint64_t sections, pages, mib;
	struct memmap_share share;
};

static const struct field node_fields[] = {
	FIELD(struct node_row, node, AS_NUMBER, .title = "node", .width = 4),
	FIELD(struct node_row, sections, AS_NUMBER, .title = "sections", .unit = "128 MiB",
	      .width = 10),
	FIELD(struct node_row, pages, AS_NUMBER, .title = "struct pages", .width = 13),
	FIELD(struct node_row, mib, AS_NUMBER, .title = "memmap", .unit = "MiB", .width = 10),
	FIELD(struct node_row, share.home, AS_NUMBER, .title = "on the node", .unit = "sections",
	      .width = 12),
	FIELD(struct node_row, share.remote, AS_NUMBER, .title = "elsewhere", .unit = "sections",
	      .width = 12),
};

static void nodes_table(const struct report *report, const struct memmap *memmap,
			uint32_t node_count)
{
	struct memmap_share shares[NODE_MAX];
	struct field_table table;

	memmap_share_out(memmap, shares);
	field_table_begin(&table, report, FIELDS(node_fields));
	for (uint32_t i = 0; i < report_rows(report, node_count); i++) {
		uint64_t sections = (uint64_t)shares[i].home + shares[i].remote;
		const struct node_row row = {
			.node = i,
			.sections = sections,
			.pages = sections * SECTION_PAGES,
			.mib = sections * SECTION_PAGES * STRUCT_PAGE_BYTES >> 20,
			.share = shares[i],
		};

		field_table_row(&table, &row);
	}
	report_rest(report, node_count, "nodes");
}

static const char *place_name(uint32_t place)
{
	return word_name(&place_words, place);
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

struct memmap_row {
	struct memmap memmap;
	uint64_t pages, bytes;
};

static const struct field fields[] = {
	FIELD(struct memmap_row, memmap.count, AS_NUMBER, .name = "sections"),
	FIELD(struct memmap_row, pages, AS_NUMBER, .name = "pages", .meaning = "descriptors"),
	FIELD(struct memmap_row, bytes, AS_NUMBER, .name = "bytes"),
	FIELD(struct memmap_row, memmap.remote_sections, AS_NUMBER, .name = "remote_sections"),
	FIELD(struct memmap_row, memmap.place, AS_WORD, WORDS(place_name, PLACES),
	      .name = "place"),
	FIELD(struct memmap_row, memmap.mapped_pages[VMEMMAP_4K], AS_NUMBER,
	      .name = "mapped_4k_pages", .meaning = "that map the memmap"),
	FIELD(struct memmap_row, memmap.mapped_pages[VMEMMAP_2M], AS_NUMBER,
	      .name = "mapped_2m_pages"),
	FIELD(struct memmap_row, memmap.mapped_pages[VMEMMAP_1G], AS_NUMBER,
	      .name = "mapped_1g_pages"),
};
const struct record_type memmap_record = RECORD_TYPE("memmap", "once", fields);

void report_memmap(struct report *report, const struct memmap *memmap,
		   const struct topology *topology)
{
	uint64_t pages = memmap->count * SECTION_PAGES;
	const struct memmap_row row = { *memmap, pages, pages * STRUCT_PAGE_BYTES };
	bool struct_pages = report->descriptor_bytes == STRUCT_PAGE_BYTES;
	char size[REPORT_CELL];

	report_heading(report, "memmap: %llu %s of %llu bytes, %s, at 0x%llx",
		       (unsigned long long)pages, struct_pages ? "struct pages" : "slots",
		       STRUCT_PAGE_BYTES, report_size(size, row.bytes / PAGE_BYTES),
		       (unsigned long long)(uintptr_t)memmap->base);
	descriptors_line(report);
	mapping_lines(report, memmap);
	nodes_table(report, memmap, topology->node_count);
	field_record(&report->records, &memmap_record, &row);
}
