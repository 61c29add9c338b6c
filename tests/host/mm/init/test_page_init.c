/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mm/init/plan_pieces.h"
#include "mm/init/page_init.h"
#include "tests/host/fake_memmap.h"
#include "tests/host/random.h"

static uint64_t seed = 0x2545f4914f6cdd1dull;

static const struct page poison = { ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, -1, -1, ~0ull };

static void assert_poison(const struct page *page)
{
	assert_memory_equal(page, &poison, sizeof(poison));
}

static void assert_initialised(const struct page *page, uint64_t pfn, uint32_t node,
			       enum frame_kind kind)
{
	static const uint64_t state[] = { 0, 1 << 10, 1 << 11 };
	uint64_t zone = pfn < 0x1000 ? 0 : pfn < 0x100000 ? 1 : 2;
	uint64_t head = (uint64_t)(uintptr_t)page + offsetof(struct page, lru_next);

	assert_true((page->flags & PAGE_STATE_MASK) == state[kind]);
	assert_true((page->flags >> 24 & 0x1ffffff) == pfn >> 15);
	assert_true((page->flags >> 49 & 7) == zone);
	assert_true(page->flags >> 52 == node);
	assert_true(page->lru_next == head && page->lru_prev == head);
	assert_true(!page->mapping && !page->index && !page->private_data && !page->memcg_data);
	assert_true(page->refcount == 1 && page->mapcount == -1);
}

static void check_frames(struct page *base, uint64_t start, uint64_t end, uint32_t node,
			 enum frame_kind kind)
{
	memset(base + start - 2, PAGE_POISON_BYTE, (end - start + 4) * sizeof(struct page));
	page_init_frames(base, start, end, node, kind, STORE_PLAIN);
	assert_poison(base + start - 1);
	assert_poison(base + end);
	for (uint64_t pfn = start; pfn < end; pfn++)
		assert_initialised(base + pfn, pfn, node, kind);
}

/* A run that crosses 16 MiB, a section border, 4 GiB; one frame on either side; nothing at all. */
static void test_frames_across_borders(void **unused)
{
	static const uint64_t borders[] = { 4096, 32768, 65536, 1048576 };
	struct fake_memmap fake;

	(void)unused;
	fake_memmap_open(&fake, 34 * SECTION_PAGES);
	fake_memmap_add(&fake, 0);
	fake_memmap_add(&fake, 1);
	fake_memmap_add(&fake, 2);
	fake_memmap_add(&fake, 31);
	fake_memmap_add(&fake, 32);
	for (unsigned i = 0; i < 4; i++) {
		uint64_t at = borders[i];

		check_frames(fake.memmap.base, at - 100, at + 100, 5, FRAME_FREE);
		check_frames(fake.memmap.base, at - 1, at, 255, FRAME_RESERVED);
		check_frames(fake.memmap.base, at, at + 1, 0, FRAME_HOLE);
		check_frames(fake.memmap.base, at, at, 0, FRAME_FREE);
	}
	check_frames(fake.memmap.base, 4000, 70000, 4095, FRAME_FREE);
	fake_memmap_close(&fake);
}

/* The same but for the refcount: what the page allocator has is not in use. */
static void test_frames_that_are_free_already(void **unused)
{
	struct fake_memmap fake;
	struct page *base;

	(void)unused;
	fake_memmap_open(&fake, 2 * SECTION_PAGES);
	fake_memmap_add(&fake, 0);
	fake_memmap_add(&fake, 1);
	base = fake.memmap.base;
	memset(base, PAGE_POISON_BYTE, 2 * SECTION_PAGES * sizeof(struct page));
	page_init_freed(base, 32000, 33000, 7);
	assert_poison(base + 31999);
	assert_poison(base + 33000);
	for (uint64_t pfn = 32000; pfn < 33000; pfn++) {
		assert_int_equal(base[pfn].refcount, 0);
		base[pfn].refcount = 1;
		assert_initialised(base + pfn, pfn, 7, FRAME_FREE);
	}
	fake_memmap_close(&fake);
}

/* The last frame of a 52-bit address space and the largest node number: no field spills over. */
static void test_largest_frame_number(void **unused)
{
	struct page *pages = aligned_alloc(64, 4 * sizeof(*pages));
	uint64_t pfn = (1ull << 40) - 2;
	struct page *base = (struct page *)((uintptr_t)pages - (pfn - 1) * sizeof(*pages));

	(void)unused;
	memset(pages, PAGE_POISON_BYTE, 4 * sizeof(*pages));
	page_init_frames(base, pfn, pfn + 2, NODE_MAX - 1, FRAME_RESERVED, STORE_PLAIN);
	assert_poison(&pages[0]);
	assert_initialised(&pages[1], pfn, NODE_MAX - 1, FRAME_RESERVED);
	assert_initialised(&pages[2], pfn + 1, NODE_MAX - 1, FRAME_RESERVED);
	assert_poison(&pages[3]);
	free(pages);
}

enum { MODEL_PAGES = 9000 };

struct model {
	struct init_span spans[200];
	struct init_plan plan;
	uint32_t node[MODEL_PAGES];
	uint8_t kind[MODEL_PAGES], deferred[MODEL_PAGES], spanned[MODEL_PAGES];
};

/* Spans of up to 120 frames with gaps between some: 9,000 frames cross the border at 16 MiB. */
static void model_fill(struct model *model)
{
	uint64_t pfn = random_next(&seed) % 50;

	memset(model, 0, sizeof(*model));
	model->plan.spans = model->spans;
	while (model->plan.span_count < 200) {
		struct init_span *span = &model->spans[model->plan.span_count];
		uint64_t end = pfn + 1 + random_next(&seed) % 120;

		if (end > MODEL_PAGES)
			break;
		*span = (struct init_span){ .start_pfn = pfn, .end_pfn = end };
		span->node = random_next(&seed) % 3;
		span->kind = random_next(&seed) % FRAME_KINDS;
		span->deferred = span->kind == FRAME_FREE && random_next(&seed) % 4;
		for (uint64_t i = pfn; i < end; i++) {
			model->node[i] = span->node;
			model->kind[i] = (uint8_t)span->kind;
			model->deferred[i] = span->deferred;
			model->spanned[i] = 1;
		}
		model->plan.span_count++;
		pfn = end + (random_next(&seed) % 5 ? 0 : random_next(&seed) % 60);
	}
}

/* Frames in [start, end) deferred for `node` are initialised, all others poison. */
static uint64_t check_model(const struct model *model, const struct page *base, uint64_t start,
			    uint64_t end, uint32_t node, bool early)
{
	uint64_t pages = 0;

	for (uint64_t i = 0; i < MODEL_PAGES; i++) {
		bool wanted = early ? model->spanned[i] && !model->deferred[i] :
				      i >= start && i < end && model->deferred[i] &&
					      model->node[i] == node;

		pages += wanted;
		if (wanted)
			assert_initialised(base + i, i, model->node[i], model->kind[i]);
		else
			assert_poison(base + i);
	}
	return pages;
}

/* Each piece, and of every other one only what lies in a window inside it. */
static void init_pieces_of(struct page *base, struct init_pieces pieces)
{
	while (init_pieces_next(&pieces)) {
		uint64_t middle = (pieces.start_pfn + pieces.end_pfn) / 2;
		struct init_pieces half = init_pieces_within(&pieces, middle, pieces.end_pfn);

		page_init_frames(base, pieces.start_pfn, middle, pieces.node, FRAME_FREE,
				 STORE_PLAIN);
		assert_true(init_pieces_next(&half));
		assert_int_equal(half.start_pfn, middle);
		assert_int_equal(half.end_pfn, pieces.end_pfn);
		page_init_frames(base, half.start_pfn, half.end_pfn, half.node, FRAME_FREE,
				 STORE_PLAIN);
		assert_false(init_pieces_next(&half));
	}
}

static void test_pieces_and_early_part_against_a_map(void **unused)
{
	struct page *base = aligned_alloc(64, MODEL_PAGES * sizeof(*base));
	struct model *model = malloc(sizeof(*model));

	(void)unused;
	for (unsigned round = 0; round < 100; round++) {
		uint64_t a = random_next(&seed) % (MODEL_PAGES + 500);
		uint64_t b = random_next(&seed) % (MODEL_PAGES + 500);
		uint64_t start = a < b ? a : b, end = a < b ? b : a, pages;
		struct page_init_args args = { base, &model->plan,
					       (uint32_t)(random_next(&seed) % 3) };

		model_fill(model);
		memset(base, PAGE_POISON_BYTE, MODEL_PAGES * sizeof(*base));
		init_pieces_of(base, init_pieces_in(&model->plan, args.node, start, end));
		pages = check_model(model, base, start, end, args.node, false);
		assert_int_equal(page_init_chunk_pages(&args, start, end), pages);

		memset(base, PAGE_POISON_BYTE, MODEL_PAGES * sizeof(*base));
		pages = page_init_early(base, &model->plan, STORE_PLAIN);
		assert_int_equal(check_model(model, base, 0, 0, 0, true), pages);
	}
	free(model);
	free(base);
}

static void test_empty_plan(void **unused)
{
	struct init_plan plan = { 0 };
	struct page_init_args args = { NULL, &plan, 0 };

	(void)unused;
	assert_int_equal(page_init_chunk_pages(&args, 0, UINT64_MAX), 0);
	assert_int_equal(page_init_early(NULL, &plan, STORE_PLAIN), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_across_borders),
		cmocka_unit_test(test_frames_that_are_free_already),
		cmocka_unit_test(test_largest_frame_number),
		cmocka_unit_test(test_pieces_and_early_part_against_a_map),
		cmocka_unit_test(test_empty_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
