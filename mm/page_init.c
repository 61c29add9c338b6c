#include "mm/page_init.h"

#include "lib/page_units.h"

/* A struct page as eight machine words, in order of address. */
typedef uint64_t __attribute__((may_alias)) page_word;

static const uint64_t kind_state[FRAME_KINDS] = {
	[FRAME_FREE] = 0,
	[FRAME_RESERVED] = PG_RESERVED,
	[FRAME_HOLE] = PG_HOLE,
};

/* mapcount -1 and refcount 1, which share a word. */
#define COUNTS_WORD (1ull << 32 | UINT32_MAX)

/*
 * Struct pages that all get the same flags. `word` stands at the list head of each, which serves as
 * its own value: a page costs eight stores and the advance of one pointer. One store follows the
 * other in address, so that write combining sees whole cache lines.
 */
static void init_run(struct page *from, struct page *to, uint64_t flags)
{
	page_word *const end = (page_word *)to + 1;

	for (page_word *word = (page_word *)from + 1; word != end; word += 8) {
		word[-1] = flags;
		word[0] = (uint64_t)(uintptr_t)word; /* lru: next and prev are the head itself */
		word[1] = (uint64_t)(uintptr_t)word;
		word[2] = 0;
		word[3] = 0;
		word[4] = 0;
		word[5] = COUNTS_WORD;
		word[6] = 0;
	}
}

/* Flags change where a section or a zone ends. */
static uint64_t run_end(uint64_t pfn, uint64_t end_pfn)
{
	uint64_t section_end = (pfn / SECTION_PAGES + 1) * SECTION_PAGES;
	uint64_t end = section_end < end_pfn ? section_end : end_pfn;

	/* The border at 4 GiB is one of sections. */
	return pfn < ZONE_DMA_END_PFN && end > ZONE_DMA_END_PFN ? ZONE_DMA_END_PFN : end;
}

void page_init_frames(struct page *base, uint64_t start_pfn, uint64_t end_pfn, uint32_t node,
		      enum frame_kind kind)
{
	uint64_t constant = kind_state[kind] | (uint64_t)node << PAGE_NODE_SHIFT;

	for (uint64_t pfn = start_pfn, end; pfn < end_pfn; pfn = end) {
		end = run_end(pfn, end_pfn);
		init_run(base + pfn, base + end,
			 constant | pfn / SECTION_PAGES << PAGE_SECTION_SHIFT |
				 (uint64_t)zone_of(pfn) << PAGE_ZONE_SHIFT);
	}
}

/* Index of the first span that ends above `pfn`, or span_count. */
static uint64_t first_span(const struct init_plan *plan, uint64_t pfn)
{
	uint64_t low = 0, high = plan->span_count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (plan->spans[middle].end_pfn > pfn)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Steps through the deferred frames of the node inside a window:
 *
 *   window         [start_pfn                                end_pfn)
 *   spans     [ deferred ][ reserved ][ other node ][ deferred ][ deferred ]
 *   pieces         [     )                          [          )[    )
 */
struct piece {
	uint64_t next_span;
	uint64_t start_pfn, end_pfn;
	enum frame_kind kind;
};

static bool next_piece(struct piece *piece, const struct page_init_args *args, uint64_t start_pfn,
		       uint64_t end_pfn)
{
	const struct init_plan *plan = args->plan;

	while (piece->next_span < plan->span_count) {
		const struct init_span *span = &plan->spans[piece->next_span];

		if (span->start_pfn >= end_pfn)
			return false;
		piece->next_span++;
		if (!span->deferred || span->node != args->node)
			continue;
		piece->start_pfn = span->start_pfn > start_pfn ? span->start_pfn : start_pfn;
		piece->end_pfn = span->end_pfn < end_pfn ? span->end_pfn : end_pfn;
		piece->kind = span->kind;
		return true;
	}
	return false;
}

void page_init_chunk(void *args, uint64_t start_pfn, uint64_t end_pfn)
{
	const struct page_init_args *a = args;
	struct piece piece = { .next_span = first_span(a->plan, start_pfn) };

	while (next_piece(&piece, a, start_pfn, end_pfn))
		page_init_frames(a->base, piece.start_pfn, piece.end_pfn, a->node, piece.kind);
}

uint64_t page_init_chunk_pages(const struct page_init_args *args, uint64_t start_pfn,
			       uint64_t end_pfn)
{
	struct piece piece = { .next_span = first_span(args->plan, start_pfn) };
	uint64_t pages = 0;

	while (next_piece(&piece, args, start_pfn, end_pfn))
		pages += piece.end_pfn - piece.start_pfn;
	return pages;
}

uint64_t page_init_early(struct page *base, const struct init_plan *plan)
{
	uint64_t pages = 0;

	for (uint64_t i = 0; i < plan->span_count; i++) {
		const struct init_span *span = &plan->spans[i];

		if (span->deferred)
			continue;
		page_init_frames(base, span->start_pfn, span->end_pfn, span->node, span->kind);
		pages += span->end_pfn - span->start_pfn;
	}
	return pages;
}
