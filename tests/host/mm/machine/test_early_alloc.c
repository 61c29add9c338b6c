/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/page_units.h"
#include "mm/machine/early_alloc.h"
#include "tests/host/random.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

static struct early_alloc early;
static uint64_t seed;

static void start(const struct ram_range *ram, uint32_t count)
{
	memset(&early, 0xee, sizeof(early));
	early_alloc_init(&early, ram, count);
}

static bool reserve_frames(uint64_t start_pfn, uint64_t end_pfn)
{
	return early_alloc_reserve(&early, start_pfn << PAGE_SHIFT, end_pfn << PAGE_SHIFT);
}

/*	RAM    [0       a        1000)   [2000    b     3000)
 *	node          0                        1                    */
static const struct ram_range two_nodes[] = { { 0, 1000, 0 }, { 2000, 3000, 1 } };

static void highest_frame_first_per_node(void **state)
{
	(void)state;
	start(two_nodes, COUNT(two_nodes));
	assert_int_equal(early_alloc_pages(&early, 1, 1, NODE_ANY, UINT64_MAX), 2999);
	assert_int_equal(early_alloc_pages(&early, 1, 1, 0, UINT64_MAX), 999);
	assert_int_equal(early_alloc_pages(&early, 2, 1, 0, UINT64_MAX), 997);
	assert_int_equal(early_alloc_pages(&early, 1, 1, 1, UINT64_MAX), 2998);
	assert_int_equal(early_alloc_pages(&early, 1, 1, 2, UINT64_MAX), EARLY_ALLOC_NONE);
	assert_int_equal(early_alloc_pages(&early, 0, 1, 0, UINT64_MAX), EARLY_ALLOC_NONE);
	assert_int_equal(early_alloc_pages(&early, 5000, 1, 0, UINT64_MAX), EARLY_ALLOC_NONE);
	assert_int_equal(early_alloc_pages(&early, UINT64_MAX, 1, NODE_ANY, UINT64_MAX),
			 EARLY_ALLOC_NONE);
	assert_int_equal(range_list_overlap(&early.reserved, 0, 1000), 3);
	assert_int_equal(range_list_overlap(&early.reserved, 2000, 3000), 2);
}

static void aligned_and_below_the_limit(void **state)
{
	(void)state;
	start(two_nodes, COUNT(two_nodes));
	assert_int_equal(early_alloc_pages(&early, 3, 256, 1, UINT64_MAX), 2816);
	assert_int_equal(early_alloc_pages(&early, 512, 512, 1, UINT64_MAX), 2048);
	assert_int_equal(early_alloc_pages(&early, 512, 512, 1, UINT64_MAX), EARLY_ALLOC_NONE);
	assert_int_equal(early_alloc_pages(&early, 8, 8, NODE_ANY, 2007), 992);
	assert_int_equal(early_alloc_pages(&early, 8, 8, NODE_ANY, 2048), 2040);
	assert_int_equal(early_alloc_pages(&early, 1, 1, NODE_ANY, 257), 256);
	assert_int_equal(early_alloc_pages(&early, 1, 1, NODE_ANY, 256), EARLY_ALLOC_NONE);
}

static void touching_ranges_count_as_one_for_any_node(void **state)
{
	static const struct ram_range touching[] = { { 512, 700, 0 }, { 700, 1024, 1 } };

	(void)state;
	start(touching, COUNT(touching));
	assert_int_equal(early_alloc_pages(&early, 512, 512, 0, UINT64_MAX), EARLY_ALLOC_NONE);
	assert_int_equal(early_alloc_pages(&early, 512, 512, NODE_ANY, UINT64_MAX), 512);
	assert_int_equal(early_alloc_pages(&early, 1, 1, NODE_ANY, UINT64_MAX), EARLY_ALLOC_NONE);
}

static void reservations_round_out_to_frames(void **state)
{
	(void)state;
	start(two_nodes, COUNT(two_nodes));
	assert_true(early_alloc_reserve(&early, 999 * PAGE_BYTES + 4095, 1000 * PAGE_BYTES));
	assert_true(early_alloc_reserve(&early, 2998 * PAGE_BYTES + 1, 2999 * PAGE_BYTES + 1));
	assert_true(early_alloc_reserve(&early, 5, 5));
	assert_true(early_alloc_reserve(&early, 6, 5));
	assert_int_equal(early.reserved.count, 2);
	assert_int_equal(early_alloc_pages(&early, 1, 1, 0, UINT64_MAX), 998);
	assert_int_equal(early_alloc_pages(&early, 1, 1, 1, UINT64_MAX), 2997);
	assert_true(early_alloc_reserve(&early, UINT64_MAX - 1, UINT64_MAX));
	assert_int_equal(early_alloc_pages(&early, 1, 1, 1, UINT64_MAX), 2996);
}

static void low_page_avoids_frame_0_and_the_video_window(void **state)
{
	static const struct ram_range low[] = { { 0, 0x200, 0 } };

	(void)state;
	start(low, COUNT(low));
	assert_int_equal(early_alloc_low_page(&early), 0xff);
	assert_true(early_alloc_reserve(&early, 0xc0000, 0x100000));
	assert_int_equal(early_alloc_low_page(&early), 0x9f);
	assert_true(early_alloc_reserve(&early, 0x2000, 0xa0000));
	assert_int_equal(early_alloc_low_page(&early), 1);
	assert_int_equal(early_alloc_low_page(&early), EARLY_ALLOC_NONE);
}

/* Every second frame reserved until the list is full: what cannot be noted is not allocated. */
static void a_full_list_is_said(void **state)
{
	static const struct ram_range ram[] = { { 0, 1 << 20, 0 } };
	uint64_t frame = 1000;

	(void)state;
	start(ram, COUNT(ram));
	for (uint32_t i = 0; i < EARLY_RESERVED_MAX; i++, frame += 2)
		assert_true(reserve_frames(frame, frame + 1));
	assert_false(reserve_frames(frame, frame + 1));
	assert_int_equal(early_alloc_pages(&early, 1, 1, 0, UINT64_MAX), EARLY_ALLOC_NONE);
	/* beside a range it only grows that range */
	assert_int_equal(early_alloc_pages(&early, 1, 1, 0, frame - 1), frame - 3);
}

enum { FRAMES = 600 };

struct model {
	uint8_t node[FRAMES]; /* 0xff: no RAM */
	bool reserved[FRAMES];
};

static uint64_t model_highest(const struct model *m, uint64_t pages, uint64_t align, uint32_t node,
			      uint64_t limit)
{
	for (uint64_t at = FRAMES; at-- > 256;) {
		uint64_t i = at;

		if (at % align || at + pages > limit || at + pages > FRAMES)
			continue;
		while (i < at + pages && m->node[i] != 0xff && !m->reserved[i] &&
		       (node == NODE_ANY || m->node[i] == node))
			i++;
		if (i == at + pages)
			return at;
	}
	return EARLY_ALLOC_NONE;
}

static uint32_t random_ram(struct model *m, struct ram_range *ram)
{
	uint64_t at = random_next(&seed) % 300;
	uint32_t count = 0;

	memset(m, 0, sizeof(*m));
	memset(m->node, 0xff, sizeof(m->node));
	while (at < FRAMES && count < 8) {
		uint64_t end = at + 1 + random_next(&seed) % 120;
		uint32_t node = random_next(&seed) % 3;

		end = end > FRAMES ? FRAMES : end;
		for (uint64_t i = at; i < end; i++)
			m->node[i] = (uint8_t)node;
		if (count && ram[count - 1].end_pfn == at && ram[count - 1].node == node)
			ram[count - 1].end_pfn = end;
		else
			ram[count++] = (struct ram_range){ at, end, node };
		at = end + (random_next(&seed) % 2 ? random_next(&seed) % 30 : 0);
	}
	return count;
}

static void random_reservation(struct model *m)
{
	uint64_t from = random_next(&seed) % (FRAMES + 20), to = from + random_next(&seed) % 20;

	assert_true(reserve_frames(from, to));
	for (uint64_t i = from; i < to && i < FRAMES; i++)
		m->reserved[i] = true;
}

static void random_request(struct model *m)
{
	uint64_t pages = 1 + random_next(&seed) % 20, align = 1ull << random_next(&seed) % 6;
	uint32_t node = random_next(&seed) % 4 ? random_next(&seed) % 3 : NODE_ANY;
	uint64_t limit = random_next(&seed) % 3 ? UINT64_MAX : random_next(&seed) % FRAMES;
	uint64_t expected = model_highest(m, pages, align, node, limit);

	assert_int_equal(early_alloc_pages(&early, pages, align, node, limit), expected);
	if (expected != EARLY_ALLOC_NONE)
		memset(&m->reserved[expected], 1, pages);
}

static void agrees_with_a_model_of_every_frame(void **state)
{
	static struct model m;
	static struct ram_range ram[8];

	(void)state;
	seed = 0x9e3779b97f4a7c15;
	for (int round = 0; round < 400; round++) {
		start(ram, random_ram(&m, ram));
		for (int step = 0; step < 40; step++) {
			if (random_next(&seed) % 3 == 0)
				random_reservation(&m);
			else
				random_request(&m);
			for (uint64_t i = 0; i < FRAMES; i++)
				assert_int_equal(range_list_overlap(&early.reserved, i, i + 1),
						 m.reserved[i]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(highest_frame_first_per_node),
		cmocka_unit_test(aligned_and_below_the_limit),
		cmocka_unit_test(touching_ranges_count_as_one_for_any_node),
		cmocka_unit_test(reservations_round_out_to_frames),
		cmocka_unit_test(low_page_avoids_frame_0_and_the_video_window),
		cmocka_unit_test(a_full_list_is_said),
		cmocka_unit_test(agrees_with_a_model_of_every_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
