/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "mm/init/store.h"
#include "tests/host/random.h"

enum { PAGES = 32768 };
#define FLAGS 0xfedcba9876543210ull
#define BYTES (PAGES * sizeof(struct page))
#define GUARD_BYTES 4096ul

/* ---- what every kernel leaves in memory ----------------------------------------------------- */

/* A section's struct pages; an access right before or behind them faults. */
static struct page *pages_map(void)
{
	char *memory = mmap(NULL, BYTES + 2 * GUARD_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	assert_true(memory != MAP_FAILED);
	assert_int_equal(mprotect(memory + GUARD_BYTES, BYTES, PROT_READ | PROT_WRITE), 0);
	return (struct page *)(memory + GUARD_BYTES);
}

static void pages_unmap(struct page *pages)
{
	munmap((char *)pages - GUARD_BYTES, BYTES + 2 * GUARD_BYTES);
}

static void assert_poison(const struct page *from, const struct page *to)
{
	for (const unsigned char *byte = (const unsigned char *)from;
	     byte < (const unsigned char *)to; byte++)
		assert_true(*byte == PAGE_POISON_BYTE);
}

static void assert_stored(const struct page *page, int32_t refcount)
{
	uint64_t head = (uint64_t)(uintptr_t)page + offsetof(struct page, lru_next);
	struct page expected = { .flags = FLAGS, .lru_next = head, .lru_prev = head,
				 .mapcount = -1, .refcount = refcount };

	assert_memory_equal(page, &expected, sizeof(expected));
}

static void check_range(store_function *fill, struct page *pages, uint32_t first, uint32_t count,
			int32_t refcount)
{
	const uint32_t around = 128; /* that many on either side are looked at */
	struct page *from = pages + (first > around ? first - around : 0);
	struct page *to = pages + (first + count + around < PAGES ? first + count + around : PAGES);

	memset(from, PAGE_POISON_BYTE, (size_t)((char *)to - (char *)from));
	fill(pages + first, pages + first + count, FLAGS,
	     refcount ? COUNTS_IN_USE : COUNTS_FREE);
	assert_poison(from, pages + first);
	for (uint32_t i = first; i < first + count; i++)
		assert_stored(&pages[i], refcount);
	assert_poison(pages + first + count, to);
}

/* Every small number of pages, at either guard; around what kernels do at once; whole sections. */
static void check_kernel(store_function *fill, struct page *pages)
{
	uint64_t seed = 0x9e3779b97f4a7c15ull;

	for (uint32_t count = 0; count <= 140; count++) {
		check_range(fill, pages, 0, count, 1);
		check_range(fill, pages, PAGES - count, count, 0);
		check_range(fill, pages, count % 7 + 1, count, 1);
	}
	for (int i = 0; i < 30; i++) {
		uint32_t count = (uint32_t)(random_next(&seed) % 5000);

		uint32_t first = (uint32_t)(random_next(&seed) % (PAGES - count + 1));

		check_range(fill, pages, first, count, i % 2);
	}
	check_range(fill, pages, 0, PAGES, 1);
	check_range(fill, pages, 1, PAGES - 1, 0);
}

static void test_same_bytes_by_every_kernel(void **unused)
{
	struct page *pages = pages_map();
	struct store_features features;
	char has[128];

	(void)unused;
	store_features_read(&features);
	store_list(&features, has, sizeof(has));
	print_message("# this CPU has %s\n", has);
	for (int store = 0; store < STORE_COUNT; store++)
		if (store_permitted((enum store)store, &features))
			check_kernel(store_kernel((enum store)store)->fill, pages);
	pages_unmap(pages);
}

/* ---- which are permitted -------------------------------------------------------------------- */

static const struct store_features everything = {
	.leaf1_ecx = 1u << 27 | 1u << 28,
	.leaf1_edx = 1u << 26,
	.leaf7_ebx = 1u << 5 | 1u << 16,
	.leaf7_ecx = 1u << 28,
	.leaf80000008_ebx = 1u << 0,
	.xcr0 = 0xe7,
};

static void assert_permitted(const struct store_features *features, const char *expected)
{
	char list[128];

	store_list(features, list, sizeof(list));
	assert_string_equal(list, expected);
}

#define OF_ANY "plain, linux, stosq"
#define OF_SSE2 "plain, linux, template, stosq, nti, nt128"

static void test_permitted_by_features(void **unused)
{
	struct store_features f = everything;

	(void)unused;
	assert_permitted(&f, OF_SSE2 ", nt256, nt512, v256, v512, movdir64b, clzero");
	assert_permitted(&(struct store_features){ 0 }, OF_ANY);
	assert_permitted(&(struct store_features){ .leaf1_edx = 1u << 26 }, OF_SSE2);
	f.leaf1_edx = ~(1u << 26);
	assert_permitted(&f, OF_ANY ", nt256, nt512, v256, v512, movdir64b, clzero");
}

/* Each bit alone, taken from a CPU that has everything. */
static void test_permitted_without_one_bit(void **unused)
{
	struct store_features f;

	(void)unused;
	f = everything, f.leaf7_ecx = ~(1u << 28);
	assert_permitted(&f, OF_SSE2 ", nt256, nt512, v256, v512, clzero");
	f = everything, f.leaf80000008_ebx = ~1u;
	assert_permitted(&f, OF_SSE2 ", nt256, nt512, v256, v512, movdir64b");
	f = everything, f.leaf7_ebx = ~(1u << 16);
	assert_permitted(&f, OF_SSE2 ", nt256, v256, movdir64b, clzero");
	f = everything, f.leaf7_ebx = ~(1u << 5);
	assert_permitted(&f, OF_SSE2 ", movdir64b, clzero");
	f = everything, f.leaf1_ecx = ~(1u << 28);
	assert_permitted(&f, OF_SSE2 ", movdir64b, clzero");
}

/* The CPU has AVX and AVX-512, but nobody saves their state: the instructions are undefined. */
static void test_permitted_by_enabled_state(void **unused)
{
	struct store_features f = everything;

	(void)unused;
	f.leaf1_ecx = ~(1u << 27); /* what XCR0 holds is then no word of ours */
	assert_permitted(&f, OF_SSE2 ", movdir64b, clzero");
	f = everything;
	f.xcr0 = 0x7;
	assert_permitted(&f, OF_SSE2 ", nt256, v256, movdir64b, clzero");
	for (int bit = 5; bit <= 7; bit++) {
		f.xcr0 = 0xe7 & ~(1ull << bit);
		assert_permitted(&f, OF_SSE2 ", nt256, v256, movdir64b, clzero");
	}
	f.xcr0 = ~4ull;
	assert_permitted(&f, OF_SSE2 ", movdir64b, clzero");
	f.xcr0 = ~2ull;
	assert_permitted(&f, OF_SSE2 ", movdir64b, clzero");
}

/* Of a machine's CPUs the poorest decides. */
static void test_features_shared(void **unused)
{
	struct store_features f = everything, other = everything;

	(void)unused;
	store_features_share(&f, &other);
	assert_permitted(&f, OF_SSE2 ", nt256, nt512, v256, v512, movdir64b, clzero");
	other.leaf7_ebx = 1u << 5;
	other.leaf7_ecx = 0;
	store_features_share(&f, &other);
	assert_permitted(&f, OF_SSE2 ", nt256, v256, clzero");
	other = (struct store_features){ .leaf1_edx = 1u << 26 };
	store_features_share(&f, &other);
	assert_permitted(&f, OF_SSE2);
	assert_int_equal(f.xcr0, 0);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void test_names(void **unused)
{
	char list[12];

	(void)unused;
	for (int store = 0; store < STORE_COUNT; store++) {
		const struct store_kernel *kernel = store_kernel((enum store)store);
		bool bare = store_permitted((enum store)store, &(struct store_features){ 0 });

		assert_true(kernel->word.name && kernel->fill);
		assert_true(bare == !kernel->needs);
	}
	assert_false(store_permitted(STORE_AUTO, &everything));
	store_list(&everything, list, sizeof(list));
	assert_string_equal(list, "plain, l...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_bytes_by_every_kernel),
		cmocka_unit_test(test_permitted_by_features),
		cmocka_unit_test(test_permitted_without_one_bit),
		cmocka_unit_test(test_permitted_by_enabled_state),
		cmocka_unit_test(test_features_shared),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
