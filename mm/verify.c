#include "mm/verify.h"

#include "lib/page_units.h"

/* A struct page as eight machine words, in order of address. */
typedef const uint64_t __attribute__((may_alias)) page_word;

/* What a run of frames must look like; lru and section apart, all its struct pages are equal. */
struct expectation {
	uint64_t end_pfn;
	uint32_t node;
	enum zone zone;
	enum frame_kind kind;
};

/* Where the walk stands in the sorted lists; both only move forward. */
struct cursor {
	const struct verify_job *job;
	uint32_t ram;      /* first range of RAM that ends above the frame */
	uint32_t reserved; /* first reservation that does */
};

void verify_totals_init(struct verify_totals *totals)
{
	*totals = (struct verify_totals){ .first_bad_pfn = UINT64_MAX };
}

static uint32_t find_ram(const struct topology *topology, uint64_t pfn)
{
	uint32_t low = 0, high = topology->ram_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (topology->ram[middle].end_pfn > pfn)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 *   section   |                                   |
 *   RAM            [ node 0  )      [ node 1 )
 *   node of   |000000000000000|1111111111111111111|
 *   a hole is    next            next        previous
 */
static uint32_t hole_node(const struct topology *topology, uint32_t ram, uint64_t section_end)
{
	if (ram < topology->ram_count && topology->ram[ram].start_pfn < section_end)
		return topology->ram[ram].node;
	return ram ? topology->ram[ram - 1].node : NODE_NONE;
}

/* Kind of frame `pfn` of RAM; *end shrinks to where that may change. */
static enum frame_kind ram_kind(struct cursor *cursor, uint64_t pfn, uint64_t *end)
{
	const struct range_list *reserved = cursor->job->reserved;
	const struct range *range;

	while (cursor->reserved < reserved->count &&
	       reserved->ranges[cursor->reserved].end <= pfn)
		cursor->reserved++;
	if (cursor->reserved == reserved->count)
		return FRAME_FREE;
	range = &reserved->ranges[cursor->reserved];
	*end = lower(*end, pfn < range->start ? range->start : range->end);
	return pfn < range->start ? FRAME_FREE : FRAME_RESERVED;
}

static struct expectation expect(struct cursor *cursor, uint64_t pfn, uint64_t section_end)
{
	const struct topology *topology = cursor->job->topology;
	struct expectation e = { .end_pfn = section_end };
	const struct ram_range *ram;

	/* The border at 4 GiB is one of sections. */
	e.zone = zone_of(pfn);
	if (pfn < ZONE_DMA_END_PFN)
		e.end_pfn = ZONE_DMA_END_PFN;
	while (cursor->ram < topology->ram_count && topology->ram[cursor->ram].end_pfn <= pfn)
		cursor->ram++;
	ram = &topology->ram[cursor->ram];
	if (cursor->ram == topology->ram_count || ram->start_pfn > pfn) {
		e.kind = FRAME_HOLE;
		e.node = hole_node(topology, cursor->ram, section_end);
		if (cursor->ram < topology->ram_count)
			e.end_pfn = lower(e.end_pfn, ram->start_pfn);
		return e;
	}
	e.node = ram->node;
	e.end_pfn = lower(e.end_pfn, ram->end_pfn);
	e.kind = ram_kind(cursor, pfn, &e.end_pfn);
	return e;
}

static uint64_t expected_flags(const struct expectation *e, uint64_t section)
{
	uint64_t state = e->kind == FRAME_RESERVED ? PG_RESERVED :
			 e->kind == FRAME_HOLE     ? PG_HOLE :
						     0;

	return state | section << PAGE_SECTION_SHIFT | (uint64_t)e->zone << PAGE_ZONE_SHIFT |
	       (uint64_t)e->node << PAGE_NODE_SHIFT;
}

static bool page_is(const struct page *page, uint64_t flags)
{
	page_word *word = (page_word *)page;
	uint64_t head = (uint64_t)(uintptr_t)&page->lru_next;

	return word[0] == flags && word[1] == head && word[2] == head && !word[3] && !word[4] &&
	       !word[5] && word[6] == (1ull << 32 | UINT32_MAX) && !word[7];
}

static enum frame_kind claimed_kind(const struct page *page)
{
	if (page->flags & PG_HOLE)
		return FRAME_HOLE;
	return page->flags & PG_RESERVED ? FRAME_RESERVED : FRAME_FREE;
}

static const char *bad_field(const struct page *page, uint64_t flags)
{
	uint64_t difference = page->flags ^ flags;

	if (difference >> PAGE_NODE_SHIFT)
		return "node";
	if (difference >> PAGE_ZONE_SHIFT)
		return "zone";
	if (difference >> PAGE_SECTION_SHIFT)
		return "section";
	if (page->refcount != 1)
		return "refcount";
	return difference & (PG_RESERVED | PG_HOLE) ? "kind" : "other";
}

static void note_bad(struct verify_totals *totals, const struct page *page, uint64_t pfn,
		     uint64_t flags)
{
	totals->mismatches++;
	totals->pages[claimed_kind(page)]++;
	if (pfn < totals->first_bad_pfn) {
		totals->first_bad_pfn = pfn;
		totals->first_bad_field = bad_field(page, flags);
	}
}

static void verify_run(const struct page *base, uint64_t start_pfn, const struct expectation *e,
		       struct verify_totals *totals)
{
	uint64_t flags = expected_flags(e, start_pfn / SECTION_PAGES);
	uint64_t bad = 0;

	for (uint64_t pfn = start_pfn; pfn < e->end_pfn; pfn++) {
		if (page_is(base + pfn, flags))
			continue;
		note_bad(totals, base + pfn, pfn, flags);
		bad++;
	}
	totals->pages[e->kind] += e->end_pfn - start_pfn - bad;
}

void verify_sections(const struct verify_job *job, uint64_t first, uint64_t end,
		     struct verify_totals *totals)
{
	for (uint64_t i = first; i < end; i++) {
		uint64_t pfn = job->memmap->sections[i].section * SECTION_PAGES;
		uint64_t section_end = pfn + SECTION_PAGES;
		struct cursor cursor = { job, find_ram(job->topology, pfn),
					 range_list_find(job->reserved, pfn) };

		while (pfn < section_end) {
			struct expectation e = expect(&cursor, pfn, section_end);

			verify_run(job->memmap->base, pfn, &e, totals);
			pfn = e.end_pfn;
		}
	}
}

void verify_totals_add(struct verify_totals *totals, const struct verify_totals *other)
{
	for (int kind = 0; kind < FRAME_KINDS; kind++)
		totals->pages[kind] += other->pages[kind];
	totals->mismatches += other->mismatches;
	if (other->first_bad_pfn < totals->first_bad_pfn) {
		totals->first_bad_pfn = other->first_bad_pfn;
		totals->first_bad_field = other->first_bad_field;
	}
}

void verify_expected(const struct verify_job *job, struct verify_totals *totals)
{
	const struct topology *topology = job->topology;
	uint64_t ram_pages = 0, sections = 0, next_section = 0;

	verify_totals_init(totals);
	for (uint32_t i = 0; i < topology->ram_count; i++) {
		const struct ram_range *ram = &topology->ram[i];
		uint64_t first = ram->start_pfn / SECTION_PAGES;
		uint64_t end = (ram->end_pfn - 1) / SECTION_PAGES + 1;

		ram_pages += ram->end_pfn - ram->start_pfn;
		totals->pages[FRAME_RESERVED] +=
			range_list_overlap(job->reserved, ram->start_pfn, ram->end_pfn);
		/* neighbours may share a section */
		sections += end - (first < next_section ? next_section : first);
		next_section = end;
	}
	totals->pages[FRAME_FREE] = ram_pages - totals->pages[FRAME_RESERVED];
	totals->pages[FRAME_HOLE] = sections * SECTION_PAGES - ram_pages;
}
