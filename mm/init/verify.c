/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/verify.h"

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/search.h"
#include "mm/buddy/buddy.h"

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
struct verify_cursor {
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
	return search_first(i, topology->ram_count, topology->ram[i].end_pfn > pfn);
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
static enum frame_kind ram_kind(struct verify_cursor *cursor, uint64_t pfn, uint64_t *end)
{
	const struct range_list *reserved = cursor->job->reserved;
	const struct range *range;

	while (cursor->reserved < reserved->count &&
	       reserved->ranges[cursor->reserved].end <= pfn)
		cursor->reserved++;
	if (cursor->reserved == reserved->count)
		return FRAME_FREE;
	range = &reserved->ranges[cursor->reserved];
	*end = min_u64(*end, pfn < range->start ? range->start : range->end);
	return pfn < range->start ? FRAME_FREE : FRAME_RESERVED;
}

static struct expectation expect(struct verify_cursor *cursor, uint64_t pfn, uint64_t section_end)
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
			e.end_pfn = min_u64(e.end_pfn, ram->start_pfn);
		return e;
	}
	e.node = ram->node;
	e.end_pfn = min_u64(e.end_pfn, ram->end_pfn);
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

/* A struct page as it should be; lru points at itself unless `listed`. */
struct image {
	uint64_t flags;
	uint64_t private_data;
	int32_t mapcount, refcount;
	bool listed;
};

static bool page_is(const struct page *page, const struct image *image)
{
	page_word *word = (page_word *)page;
	uint64_t head = (uint64_t)(uintptr_t)&page->lru_next;
	uint64_t counts = (uint64_t)(uint32_t)image->refcount << 32 | (uint32_t)image->mapcount;

	return word[0] == image->flags && word[3] == 0 && word[4] == 0 &&
	       word[5] == image->private_data && word[6] == counts && word[7] == 0 &&
	       (image->listed || (word[1] == head && word[2] == head));
}

static bool is_poison(const struct page *page)
{
	page_word *word = (page_word *)page;
	uint64_t all = UINT64_MAX;

	for (int i = 0; i < 8; i++)
		all &= word[i];
	return all == UINT64_MAX;
}

static enum frame_kind claimed_kind(uint64_t flags)
{
	if (flags & PG_HOLE)
		return FRAME_HOLE;
	return flags & PG_RESERVED ? FRAME_RESERVED : FRAME_FREE;
}

static const char *bad_flags(uint64_t difference)
{
	if (difference >> PAGE_NODE_SHIFT)
		return "node";
	if (difference >> PAGE_ZONE_SHIFT)
		return "zone";
	if (difference >> PAGE_SECTION_SHIFT)
		return "section";
	return difference & (PG_RESERVED | PG_HOLE) ? "kind" : NULL;
}

static const char *bad_field(const struct page *page, const struct image *image)
{
	const char *field = bad_flags(page->flags ^ image->flags);

	if (field)
		return field;
	if (page->refcount != image->refcount)
		return "refcount";
	/* free pages and only they have a refcount of 0 */
	if (image->refcount == 0 && (page->mapcount != image->mapcount ||
				     page->private_data != image->private_data))
		return "order";
	return "other";
}

static void note_bad(struct verify_totals *totals, uint64_t pfn, uint64_t flags, const char *field)
{
	totals->mismatches++;
	totals->pages[claimed_kind(flags)]++;
	if (pfn < totals->first_bad_pfn) {
		totals->first_bad_pfn = pfn;
		totals->first_bad_field = field;
	}
}

/* Frames [start_pfn, end_pfn), all of one image and kind. */
static void verify_run(const struct page *base, uint64_t start_pfn, uint64_t end_pfn,
		       const struct image *image, struct verify_totals *totals)
{
	uint64_t bad = 0;

	for (uint64_t pfn = start_pfn; pfn < end_pfn; pfn++) {
		const struct page *page = base + pfn;

		if (page_is(page, image))
			continue;
		note_bad(totals, pfn, page->flags, bad_field(page, image));
		bad++;
	}
	totals->pages[claimed_kind(image->flags)] += end_pfn - start_pfn - bad;
}

static void verify_poison(const struct page *base, uint64_t start_pfn, uint64_t end_pfn,
			  struct verify_totals *totals)
{
	for (uint64_t pfn = start_pfn; pfn < end_pfn; pfn++) {
		if (is_poison(base + pfn))
			totals->pages[FRAME_FREE]++;
		else
			note_bad(totals, pfn, base[pfn].flags, "poison");
	}
}

/* Order of the largest block that begins at `pfn` and ends by `end_pfn`. */
static uint32_t largest_order(uint64_t pfn, uint64_t end_pfn)
{
	uint32_t order = 0;

	while (order < ORDER_MAX && !(pfn >> order & 1) && (2ull << order) <= end_pfn - pfn)
		order++;
	return order;
}

/*
 * Free frames between two that are not, or between borders of blocks of ORDER_MAX. When all of them
 * are free and every pair of buddies is merged, there is only one way in which they can lie:
 *
 *	frames  5   6       8               16              24  25
 *	        [ ) [   )   [           )   [           )   [ )
 *	order   0   1       3               3               0
 */
static void verify_blocks(const struct page *base, uint64_t pfn, uint64_t end_pfn, uint64_t flags,
			  bool lazy, struct verify_totals *totals)
{
	const struct image body = { flags, 0, -1, 0, false };

	while (pfn < end_pfn) {
		uint32_t order = largest_order(pfn, end_pfn);
		struct image head = { flags, order, PAGE_BUDDY, 0, true };
		uint64_t block_end = pfn + (1ull << order);
		bool unfilled = lazy && order == ORDER_MAX &&
				base[pfn].flags == (flags | PG_LAZY);

		if (unfilled)
			head.flags |= PG_LAZY;
		verify_run(base, pfn, pfn + 1, &head, totals);
		if (unfilled)
			verify_poison(base, pfn + 1, block_end, totals);
		else
			verify_run(base, pfn + 1, block_end, &body, totals);
		pfn = block_end;
	}
}

static void verify_pages(const struct verify_job *job, uint64_t pfn, const struct expectation *e,
			 struct verify_totals *totals)
{
	const struct image image = { expected_flags(e, pfn / SECTION_PAGES), 0, -1, 1, false };

	if (e->kind == FRAME_FREE && job->stage != VERIFY_INITIALISED)
		verify_blocks(job->memmap->base, pfn, e->end_pfn, image.flags,
			      job->stage == VERIFY_FREED_LAZY, totals);
	else
		verify_run(job->memmap->base, pfn, e->end_pfn, &image, totals);
}

/* Flags, counts, lru, private data, mapping, index: the first `words` of them. */
static const char *bad_words(page_word *word, uint32_t words, uint64_t flags)
{
	uint64_t list = (uint64_t)(uintptr_t)(word + 2);
	const char *field = bad_flags(word[0] ^ flags);

	if (word[0] != flags)
		return field ? field : "other";
	if (words > 1 && word[1] != (1ull << 32 | UINT32_MAX))
		return word[1] >> 32 != 1 ? "refcount" : "other";
	if (words > 3 && (word[2] != list || word[3] != list))
		return "other";
	for (uint32_t i = 4; i < words; i++)
		if (word[i])
			return "other";
	return NULL;
}

static void verify_descriptors(const struct memmap *memmap, uint32_t descriptor_bytes,
			       uint64_t pfn, const struct expectation *e,
			       struct verify_totals *totals)
{
	uint64_t section = pfn / SECTION_PAGES, flags = expected_flags(e, section);
	const uint8_t *first = (const uint8_t *)(memmap->base + section * SECTION_PAGES);

	for (; pfn < e->end_pfn; pfn++) {
		page_word *word = (page_word *)(first + pfn % SECTION_PAGES * descriptor_bytes);
		const char *field = bad_words(word, descriptor_bytes / sizeof(*word), flags);

		if (field)
			note_bad(totals, pfn, word[0], field);
		else
			totals->pages[e->kind]++;
	}
}

static void walk(const struct verify_job *job, uint32_t descriptor_bytes, uint64_t first,
		 uint64_t end, struct verify_totals *totals)
{
	for (uint64_t i = first; i < end; i++) {
		uint64_t pfn = job->memmap->sections[i].section * SECTION_PAGES;
		uint64_t section_end = pfn + SECTION_PAGES;
		struct verify_cursor cursor = { job, find_ram(job->topology, pfn),
					 range_list_find(job->reserved, pfn) };

		while (pfn < section_end) {
			struct expectation e = expect(&cursor, pfn, section_end);

			if (descriptor_bytes == sizeof(struct page))
				verify_pages(job, pfn, &e, totals);
			else
				verify_descriptors(job->memmap, descriptor_bytes, pfn, &e, totals);
			pfn = e.end_pfn;
		}
	}
}

void verify_sections(const struct verify_job *job, uint64_t first, uint64_t end,
		     struct verify_totals *totals)
{
	walk(job, sizeof(struct page), first, end, totals);
}

void verify_sized(const struct verify_job *job, uint32_t descriptor_bytes, uint64_t first,
		  uint64_t end, struct verify_totals *totals)
{
	walk(job, descriptor_bytes, first, end, totals);
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
		sections += end - max_u64(first, next_section);
		next_section = end;
	}
	totals->pages[FRAME_FREE] = ram_pages - totals->pages[FRAME_RESERVED];
	totals->pages[FRAME_HOLE] = sections * SECTION_PAGES - ram_pages;
}
