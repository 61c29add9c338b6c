/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/chunk_sized.h"

#include "lib/page_units.h"
#include "lib/round.h"
#include "mm/init/chunk.h"
#include "mm/init/page_init.h"
#include "mm/init/plan_pieces.h"

typedef uint64_t __attribute__((may_alias)) descriptor_word;

/* mapcount -1 and refcount 1. */
#define COUNTS_WORD (1ull << 32 | UINT32_MAX)

/* Inlined into one loop for each number of words, with no decision left in it. */
static inline __attribute__((always_inline)) void init_words(descriptor_word *word,
							      const descriptor_word *end,
							      uint64_t flags, uint32_t words)
{
	for (; word != end; word += words) {
		word[0] = flags;
		if (words > 1)
			word[1] = COUNTS_WORD;
		if (words > 3) {
			word[2] = (uint64_t)(uintptr_t)(word + 2);
			word[3] = (uint64_t)(uintptr_t)(word + 2);
		}
		if (words > 4)
			word[4] = 0;
		if (words > 6) {
			word[5] = 0;
			word[6] = 0;
		}
	}
}

static void init_descriptors(uint8_t *from, uint8_t *to, uint64_t flags, uint32_t descriptor_bytes)
{
	descriptor_word *word = (descriptor_word *)from, *end = (descriptor_word *)to;

	switch (descriptor_bytes) {
	case 56:
		init_words(word, end, flags, 7);
		break;
	case 40:
		init_words(word, end, flags, 5);
		break;
	case 32:
		init_words(word, end, flags, 4);
		break;
	case 16:
		init_words(word, end, flags, 2);
		break;
	case 8:
		init_words(word, end, flags, 1);
		break;
	}
}

static void init_frames(const struct chunk_args *args, uint64_t start_pfn, uint64_t end_pfn,
			uint32_t node, enum frame_kind kind)
{
	for (uint64_t pfn = start_pfn, end; pfn < end_pfn; pfn = end) {
		uint64_t section_pfn = round_down_u64(pfn, SECTION_PAGES);
		uint8_t *first = args->descriptors + section_pfn * sizeof(struct page);

		end = page_init_run_end(pfn, end_pfn);
		init_descriptors(first + (pfn - section_pfn) * args->descriptor_bytes,
				 first + (end - section_pfn) * args->descriptor_bytes,
				 page_init_flags(pfn, node, kind), args->descriptor_bytes);
	}
}

void chunk_init_sized(void *args, uint64_t start_pfn, uint64_t end_pfn)
{
	const struct chunk_args *a = args;
	struct init_pieces piece = init_pieces_in(a->plan, a->node, start_pfn, end_pfn);

	while (init_pieces_next(&piece))
		init_frames(a, piece.start_pfn, piece.end_pfn, a->node, FRAME_FREE);
}

uint64_t chunk_early_sized(const struct chunk_args *args)
{
	uint64_t pages = 0;

	for (uint64_t i = 0; i < args->plan->span_count; i++) {
		const struct init_span *span = &args->plan->spans[i];

		if (span->deferred)
			continue;
		init_frames(args, span->start_pfn, span->end_pfn, span->node, span->kind);
		pages += span->end_pfn - span->start_pfn;
	}
	return pages;
}
