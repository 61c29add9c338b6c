/* SPDX-License-Identifier: GPL-2.0-only */
/* The slab layer: sizes by hand, a model, frees on other CPUs, what must not be freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mm/slab/slab_drain.h"
#include "mm/slab/slab_size.h"
#include "tests/host/random.h"
#include "tests/host/slab_fixture.h"

static struct slab_fixture s;

static int open_order0(void **state)
{
	(void)state;
	slab_fixture_open(&s, PCP_ORDER0);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	slab_fixture_close(&s);
	return 0;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static void assert_size(uint32_t cpus, uint32_t bytes, uint32_t order, uint32_t objects,
			uint32_t min_partial, uint32_t cpu_partial)
{
	struct slab_cache cache;

	slab_cache_size(&cache, bytes, cpus);
	assert_int_equal(cache.object_bytes, bytes);
	assert_int_equal(cache.order, order);
	assert_int_equal(cache.objects, objects);
	assert_int_equal(cache.min_partial, min_partial);
	assert_int_equal(cache.cpu_partial, cpu_partial);
}

/* 4 * (fls(cpus) + 1) objects: 8 for one CPU, 16 for four, 28 for 48. */
static void sizes_by_hand(void **state)
{
	(void)state;
	assert_size(1, 8, 0, 512, 5, 30);
	assert_size(1, 512, 0, 8, 5, 13);
	assert_size(1, 1024, 1, 8, 5, 6);
	assert_size(1, 2048, 2, 8, 5, 6);
	assert_size(1, 4096, 3, 8, 6, 2);
	assert_size(4, 96, 0, 42, 5, 30);
	assert_size(4, 192, 0, 21, 5, 30);
	assert_size(4, 256, 0, 16, 5, 13);
	assert_size(4, 512, 1, 16, 5, 13);
	assert_size(4, 1024, 2, 16, 5, 6);
	assert_size(4, 2048, 3, 16, 5, 6);
	assert_size(4, 8192, 3, 4, 6, 2);
	assert_size(48, 256, 1, 32, 5, 13);
	assert_size(48, 512, 2, 32, 5, 13);
	assert_size(48, 1024, 3, 32, 5, 6);
	assert_size(48, 2048, 3, 16, 5, 6);
	assert_size(4096, 8, 0, 512, 5, 30);
	/* 16 of 720 bytes are three pages: four leave 544 bytes, less than a sixteenth */
	assert_size(4, 720, 2, 22, 5, 13);
	/* 16 of 1984 need 32 KiB, which leave 1024 */
	assert_size(4, 1984, 3, 16, 5, 6);
	/* 5 of 6000 in 32 KiB leave 2768, more than a sixteenth: a twelfth will do */
	assert_size(4, 6000, 3, 5, 6, 2);
}

static void kmalloc_sizes(void **state)
{
	(void)state;
	assert_int_equal(slab_kmalloc_bytes(slab_kmalloc_cache(1)), 8);
	assert_int_equal(slab_kmalloc_bytes(slab_kmalloc_cache(65)), 96);
	assert_int_equal(slab_kmalloc_bytes(slab_kmalloc_cache(129)), 192);
	assert_int_equal(slab_kmalloc_bytes(slab_kmalloc_cache(193)), 256);
	assert_int_equal(slab_kmalloc_bytes(slab_kmalloc_cache(8192)), 8192);
	assert_int_equal(slab_kmalloc_cache(8193), SLAB_CACHE_COUNT);
	assert_int_equal(slab_usable_bytes(8192), 8192);
	assert_int_equal(slab_usable_bytes(8193), 16384);
	assert_int_equal(slab_usable_bytes(16768), 32768);
	assert_int_equal(slab_order_of(1), 0);
	assert_int_equal(slab_order_of(4097), 1);
	assert_int_equal(slab_order_of(4 << 20), 10);
	assert_true(slab_order_of((4 << 20) + 1) > ORDER_MAX);
	assert_true(slab_order_of(UINT64_MAX) > ORDER_MAX);
}

/* ---- one CPU -------------------------------------------------------------------------------- */

static void last_freed_first_used(void **state)
{
	void *a, *b, *c;

	(void)state;
	a = slab_kmalloc(&s.layer, 0, 0, 100);
	b = slab_kmalloc(&s.layer, 0, 0, 100);
	assert_ptr_equal((char *)a + 128, b);
	slab_free(&s.layer, 0, a);
	c = slab_kmalloc(&s.layer, 0, 0, 128);
	assert_ptr_equal(c, a);
	assert_int_equal(slab_layer_stats(&s.layer).new_slabs, 1);
	assert_int_equal(slab_layer_stats(&s.layer).refills, 1);
	assert_int_equal(slab_drain(&s.layer, 0), 1);
	slab_free(&s.layer, 0, b);
	slab_free(&s.layer, 0, c);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	assert_int_equal(s.layer.fault_count, 0);
	slab_fixture_assert_back(&s);
}

static void blocks_of_pages(void **state)
{
	void *a = slab_kmalloc(&s.layer, 0, 0, 16768), *b = slab_kmalloc(&s.layer, 0, 0, 4 << 20);
	struct page *page = slab_fixture_page(&s, a);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(page->index, 3);
	assert_int_equal((uintptr_t)a % (8 * PAGE_BYTES), (uintptr_t)s.base % (8 * PAGE_BYTES));
	assert_null(slab_kmalloc(&s.layer, 0, 0, (4 << 20) + 1));
	assert_int_equal(slab_layer_stats(&s.layer).failures, 1);
	assert_int_equal(slab_drain(&s.layer, 0), 2);
	slab_free(&s.layer, 1, a);
	slab_free(&s.layer, 1, b);
	assert_int_equal(s.layer.fault_count, 0);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	slab_fixture_assert_back(&s);
}

/* All memory, then no more; and all of it back. */
static void memory_ends(void **state)
{
	uint64_t count = (SLAB_END - SLAB_FIRST) / 8 * 4, got = 0;
	void **objects = test_calloc(count + 1, sizeof(*objects));

	(void)state;
	while (got <= count && (objects[got] = slab_kmalloc(&s.layer, 0, 0, 8192)))
		got++;
	assert_int_equal(got, count);
	assert_int_equal(slab_layer_stats(&s.layer).failures, 1);
	for (uint64_t i = 0; i < got; i++)
		slab_free(&s.layer, i % SLAB_CPUS, objects[i]);
	assert_int_equal(s.layer.fault_count, 0);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	slab_fixture_assert_back(&s);
	test_free(objects);
}

/* ---- frees on another CPU ------------------------------------------------------------------- */

enum { SLABS = 20, OBJECTS = 16 };

/*
 * 20 slabs of 16 objects on CPU 0, freed by CPU 1 in the order of their allocation. A slab counts
 * one free object when it becomes CPU 1's: with the fifteenth there are more than 13, and the
 * fourteen before, all empty by then, move: five to the node's list, nine to the page allocator.
 * Five more become CPU 1's; the last one is CPU 0's own.
 */
static void frees_elsewhere_by_hand(void **state)
{
	void *objects[SLABS * OBJECTS];
	struct slab_stats stats;

	(void)state;
	for (int i = 0; i < SLABS * OBJECTS; i++)
		objects[i] = slab_kmalloc(&s.layer, 0, 0, 512);
	stats = slab_layer_stats(&s.layer);
	assert_int_equal(stats.new_slabs, SLABS);
	assert_int_equal(stats.refills, SLABS);
	for (int i = 0; i < SLABS * OBJECTS; i++)
		slab_free(&s.layer, 1, objects[i]);
	stats = slab_layer_stats(&s.layer);
	assert_int_equal(stats.remote_frees, SLABS * OBJECTS);
	assert_int_equal(stats.flushes, 1);
	assert_int_equal(stats.discarded_slabs, 9);
	assert_int_equal(slab_layer_locks(&s.layer).acquisitions, 1);

	/* CPU 0 finds what was freed to its own slab, then the five of the node: one for itself,
	 * whose 16 free objects are already more than half of what it may have beside that */
	for (int i = 0; i < 2 * OBJECTS; i++)
		objects[i] = slab_kmalloc(&s.layer, 0, 0, 512);
	stats = slab_layer_stats(&s.layer);
	assert_int_equal(stats.new_slabs, SLABS);
	assert_int_equal(slab_layer_locks(&s.layer).acquisitions, 2);
	assert_int_equal(s.layer.nodes[slab_kmalloc_cache(512)].partial_count, 4);
	for (int i = 0; i < 2 * OBJECTS; i++)
		slab_free(&s.layer, 0, objects[i]);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	assert_int_equal(s.layer.fault_count, 0);
	slab_fixture_assert_back(&s);
}

/* A slab on the node's list that becomes empty while the node has enough leaves it. */
static void last_object_of_a_partial_slab(void **state)
{
	void *objects[SLABS * OBJECTS];

	(void)state;
	for (int i = 0; i < SLABS * OBJECTS; i++)
		objects[i] = slab_kmalloc(&s.layer, 0, 0, 512);
	for (int i = 0; i < SLABS * OBJECTS; i += OBJECTS) /* one of each: 14 move to the node */
		slab_free(&s.layer, 1, objects[i]);
	assert_int_equal(slab_layer_stats(&s.layer).flushes, 1);
	assert_int_equal(slab_layer_stats(&s.layer).discarded_slabs, 0);
	for (int i = 1; i < 14 * OBJECTS; i++)
		if (i % OBJECTS)
			slab_free(&s.layer, 2, objects[i]);
	/* who becomes empty while five or more are on the list leaves it */
	assert_int_equal(slab_layer_stats(&s.layer).discarded_slabs, 10);
	for (int i = 14 * OBJECTS; i < SLABS * OBJECTS; i++)
		if (i % OBJECTS)
			slab_free(&s.layer, 2, objects[i]);
	assert_int_equal(s.layer.fault_count, 0);
	assert_int_equal(slab_drain(&s.layer, 3), 0);
	slab_fixture_assert_back(&s);
}

/* ---- a model -------------------------------------------------------------------------------- */

enum { LIVE = 3000, STEPS = 40000 };

struct live {
	uint8_t *object;
	uint32_t bytes;
	uint8_t pattern;
};

static void fill(const struct live *one)
{
	memset(one->object, one->pattern, one->bytes);
}

static void assert_intact(const struct live *one)
{
	for (uint32_t i = 0; i < one->bytes; i++)
		if (one->object[i] != one->pattern)
			fail_msg("byte %u of %u was overwritten", i, one->bytes);
}

static uint32_t random_size(uint64_t *seed)
{
	static const uint32_t some[] = { 8,    64,   448,  500,	 1408, 3712,
					 4480, 8576, 16768, 96,	 192,  256 };
	uint64_t r = random_next(seed);

	return r % 3 ? some[r / 3 % 12] : (uint32_t)(r / 3 % 9000 + 1);
}

static void objects_do_not_overlap(void **state)
{
	static struct live live[LIVE];
	uint64_t seed = 12345, count = 0;

	(void)state;
	for (int step = 0; step < STEPS; step++) {
		uint32_t cpu = random_next(&seed) % SLAB_CPUS;
		bool grow = step / 2000 % 2 ? random_next(&seed) % 3 == 0 :
					      random_next(&seed) % 3 != 0;

		if (count < LIVE && (grow || !count)) {
			struct live *one = &live[count++];

			one->bytes = random_size(&seed);
			one->pattern = (uint8_t)random_next(&seed);
			one->object = slab_kmalloc(&s.layer, cpu, 0, one->bytes);
			assert_non_null(one->object);
			assert_int_equal((one->object - s.base) % 8, 0);
			fill(one);
		} else {
			uint64_t i = random_next(&seed) % count;

			assert_intact(&live[i]);
			slab_free(&s.layer, cpu, live[i].object);
			live[i] = live[--count];
		}
	}
	while (count) {
		assert_intact(&live[--count]);
		slab_free(&s.layer, count % SLAB_CPUS, live[count].object);
	}
	assert_int_equal(s.layer.fault_count, 0);
	assert_int_equal(slab_layer_stats(&s.layer).allocations,
			 slab_layer_stats(&s.layer).frees);
	assert_true(slab_layer_stats(&s.layer).discarded_slabs > 0);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	slab_fixture_assert_back(&s);
}

/* ---- what is no object ---------------------------------------------------------------------- */

static void assert_refused(void *object)
{
	uint64_t before = s.layer.fault_count, frees = slab_layer_stats(&s.layer).frees;

	slab_free(&s.layer, 0, object);
	assert_int_equal(s.layer.fault_count, before + 1);
	assert_int_equal(slab_layer_stats(&s.layer).frees, frees);
}

static void no_objects(void **state)
{
	uint8_t *object = slab_kmalloc(&s.layer, 0, 0, 192);
	uint8_t *block = slab_kmalloc(&s.layer, 0, 0, 20000), *large;
	uint64_t pfn = page_alloc(&s.allocator, 0, 0, 1);

	(void)state;
	assert_refused(NULL);
	assert_refused(s.base); /* frames that have no memmap */
	assert_refused(s.base + SLAB_END * PAGE_BYTES);
	assert_refused(s.base - 1);
	assert_refused((void *)UINTPTR_MAX);
	assert_refused(s.base + (SLAB_END - 1) * PAGE_BYTES); /* free pages */
	assert_refused(s.base + pfn * PAGE_BYTES); /* somebody else's */
	assert_refused(object + 8);
	assert_refused(object + 1);
	assert_refused(object + 21 * 192); /* behind the slab's last object */
	assert_refused(block + 8);
	assert_refused(block + PAGE_BYTES);
	slab_free(&s.layer, 0, object);
	assert_refused(object);
	slab_free(&s.layer, 0, block);
	assert_refused(block);
	assert_refused(block + PAGE_BYTES);
	page_free(&s.allocator, 0, pfn, 1);
	/* tails that lead to before the memmap, or to no head */
	large = slab_kmalloc(&s.layer, 0, 0, 32768);
	slab_fixture_page(&s, large)[1].mapping += (uint64_t)(large - s.base) / PAGE_BYTES;
	assert_refused(large + PAGE_BYTES);
	slab_fixture_page(&s, large)[1].mapping = UINT64_MAX;
	assert_refused(large + PAGE_BYTES);
	slab_fixture_page(&s, large)->index = 77;
	assert_refused(large);
	slab_fixture_page(&s, large)->index = 3;
	slab_free(&s.layer, 0, large);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	slab_fixture_assert_back(&s);
}

/* More frees than allocations: of a slab that has nothing in use. */
static void freed_twice_elsewhere(void **state)
{
	void *objects[OBJECTS + 1];

	(void)state;
	for (int i = 0; i <= OBJECTS; i++)
		objects[i] = slab_kmalloc(&s.layer, 0, 0, 512);
	for (int i = 0; i < OBJECTS; i++)
		slab_free(&s.layer, 1, objects[i]);
	slab_free(&s.layer, 1, objects[0]);
	assert_int_equal(s.layer.fault_count, 1);
	slab_free(&s.layer, 1, objects[OBJECTS]);
	assert_int_equal(slab_drain(&s.layer, 0), 0);
	slab_fixture_assert_back(&s);
}

/* Whatever is written to a free object, no step leads out of the slab. */
static void free_objects_overwritten(void **state)
{
	static const uint64_t rubbish[] = { UINT64_MAX, 1, 1024, 65534, 1ull << 40, 513 };
	uint64_t *object = NULL;

	(void)state;
	for (int i = 0; i < 6; i++) {
		object = slab_kmalloc(&s.layer, 0, 0, 512);
		slab_free(&s.layer, 0, object);
		*object = rubbish[i];
		assert_ptr_equal(slab_kmalloc(&s.layer, 0, 0, 512), object);
		assert_int_equal(s.layer.fault_count, i + 1);
	}
	/* a circle: the same object for ever, but no endless loop */
	object = slab_kmalloc(&s.layer, 0, 0, 64);
	slab_free(&s.layer, 0, object);
	*object = (uint64_t)((uint8_t *)object - s.base) % PAGE_BYTES / 8;
	assert_ptr_equal(slab_kmalloc(&s.layer, 0, 0, 64), object);
	assert_ptr_equal(slab_kmalloc(&s.layer, 0, 0, 64), object);
	assert_true(slab_drain(&s.layer, 0) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_by_hand),
		cmocka_unit_test(kmalloc_sizes),
		cmocka_unit_test_setup_teardown(last_freed_first_used, open_order0, close_all),
		cmocka_unit_test_setup_teardown(blocks_of_pages, open_order0, close_all),
		cmocka_unit_test_setup_teardown(memory_ends, open_order0, close_all),
		cmocka_unit_test_setup_teardown(frees_elsewhere_by_hand, open_order0, close_all),
		cmocka_unit_test_setup_teardown(last_object_of_a_partial_slab, open_order0,
						close_all),
		cmocka_unit_test_setup_teardown(objects_do_not_overlap, open_order0, close_all),
		cmocka_unit_test_setup_teardown(no_objects, open_order0, close_all),
		cmocka_unit_test_setup_teardown(freed_twice_elsewhere, open_order0, close_all),
		cmocka_unit_test_setup_teardown(free_objects_overwritten, open_order0, close_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
