/* The memmap and the plan by which it is initialised. */
#include "kernel/report_text.h"
#include "lib/page_units.h"
#include "smp/dispatch.h"

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

void report_memmap(struct report *report, const struct memmap *memmap,
		   const struct topology *topology)
{
	struct record_stream *records = &report->records;
	uint64_t pages = memmap->count * SECTION_PAGES;
	char size[REPORT_CELL];

	count_sections(report, memmap, topology->node_count);
	report_heading(report, "memmap: %llu struct pages of %llu bytes, %s, at 0x%llx",
		       (unsigned long long)pages, STRUCT_PAGE_BYTES,
		       report_size(size, pages * STRUCT_PAGE_BYTES / PAGE_BYTES),
		       (unsigned long long)(uintptr_t)memmap->base);
	memmap_table(report, topology->node_count);
	record_begin(records, "memmap");
	record_u64(records, "sections", memmap->count);
	record_u64(records, "pages", pages);
	record_u64(records, "bytes", pages * STRUCT_PAGE_BYTES);
	record_u64(records, "remote_sections", memmap->remote_sections);
	record_end(records);
}

/* Of the node's largest job, as the dispatcher will size it. */
static uint64_t chunk_pages(const struct init_plan *plan, const struct init_node *node)
{
	struct job largest = { .size = 0 };
	struct job_state state;

	for (uint32_t i = 0; i < node->job_count; i++) {
		const struct init_job *job = &plan->jobs[node->first_job + i];

		if (job->size_pages <= largest.size)
			continue;
		largest.start = job->start_pfn;
		largest.size = job->size_pages;
		largest.align = job->align_pages;
		largest.min_chunk = job->min_chunk_pages;
		largest.max_workers = job->max_workers;
	}
	if (!largest.size)
		return 0;
	dispatch_prepare(&state, &largest);
	return state.chunk;
}

static void plan_record(struct record_stream *records, enum policy policy,
			const struct init_plan *plan, uint32_t number)
{
	const struct init_node *node = &plan->nodes[number];

	record_begin(records, "plan");
	record_text(records, "policy", policy_name(policy));
	record_u64(records, "node", number);
	record_u64(records, "workers", node->worker_count);
	record_u64(records, "jobs", node->job_count);
	record_u64(records, "chunk_pages", chunk_pages(plan, node));
	record_u64(records, "early_pages", node->early_pages);
	record_u64(records, "deferred_pages", node->deferred_pages);
	record_u64(records, "free_pages", node->free_pages);
	record_u64(records, "reserved_pages", node->reserved_pages);
	record_u64(records, "hole_pages", node->hole_pages);
	record_end(records);
}

void report_plan(struct report *report, enum policy policy, const struct init_plan *plan,
		 const struct topology *topology)
{
	static const struct column columns[] = {
		{ "node", "", 4 },	       { "workers", "", 7 },	  { "jobs", "", 6 },
		{ "chunk", "MiB", 6 },       { "early", "pages", 12 },  { "deferred", "pages", 12 },
		{ "free", "pages", 12 }, { "reserved", "pages", 12 }, { "holes", "pages", 12 },
	};
	struct table table;

	report_heading(report, "plan, policy %s: %llu struct pages early (boot CPU), %llu deferred",
		       policy_name(policy), (unsigned long long)plan->early_pages,
		       (unsigned long long)plan->deferred_pages);
	table_begin(&table, report, columns, 9);
	for (uint32_t i = 0; i < report_rows(report, topology->node_count); i++) {
		const struct init_node *node = &plan->nodes[i];

		table_u64(&table, i);
		table_u64(&table, node->worker_count);
		table_u64(&table, node->job_count);
		table_u64(&table, chunk_pages(plan, node) * PAGE_BYTES >> 20);
		table_u64(&table, node->early_pages);
		table_u64(&table, node->deferred_pages);
		table_u64(&table, node->free_pages);
		table_u64(&table, node->reserved_pages);
		table_u64(&table, node->hole_pages);
	}
	report_rest(report, topology->node_count, "nodes");
	for (uint32_t i = 0; i < topology->node_count; i++)
		plan_record(&report->records, policy, plan, i);
}
