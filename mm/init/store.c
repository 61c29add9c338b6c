/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/store.h"

#include "lib/cpu.h"
#include "lib/text.h"
#include "lib/xcr0.h"

store_function store_linux, store_template, store_stosq, store_nti, store_nt128, store_nt256;
store_function store_nt512, store_v256, store_v512, store_movdir64b, store_clzero;

/* A struct page as eight machine words, in order of address. */
typedef uint64_t __attribute__((may_alias)) page_word;

/*
 * `word` stands at the list head of each page, which serves as its own value: a page costs eight
 * stores and the advance of one pointer. One store follows the other in address, so that write
 * combining sees whole cache lines.
 */
void store_plain(struct page *from, struct page *to, uint64_t flags, uint64_t counts)
{
	page_word *const end = (page_word *)to + 1;

	for (page_word *word = (page_word *)from + 1; word != end; word += 8) {
		word[-1] = flags;
		word[0] = (uint64_t)(uintptr_t)word; /* lru: next and prev are the head itself */
		word[1] = (uint64_t)(uintptr_t)word;
		word[2] = 0;
		word[3] = 0;
		word[4] = 0;
		word[5] = counts;
		word[6] = 0;
	}
}

/* ---- what a CPU may do ---------------------------------------------------------------------- */

enum {
	LEAF1_EDX_SSE2 = 1 << 26,
	LEAF1_ECX_OSXSAVE = 1 << 27,
	LEAF1_ECX_AVX = 1 << 28,
	LEAF7_EBX_AVX2 = 1 << 5,
	LEAF7_EBX_AVX512F = 1 << 16,
	LEAF7_ECX_MOVDIR64B = 1 << 28,
	LEAF80000008_EBX_CLZERO = 1 << 0,
};

static bool has_state(const struct store_features *f, uint64_t state)
{
	return f->leaf1_ecx & LEAF1_ECX_OSXSAVE && (f->xcr0 & state) == state;
}

static bool has_sse2(const struct store_features *f)
{
	return f->leaf1_edx & LEAF1_EDX_SSE2;
}

static bool has_avx2(const struct store_features *f)
{
	return has_state(f, XCR0_SSE | XCR0_AVX) && f->leaf1_ecx & LEAF1_ECX_AVX &&
	       f->leaf7_ebx & LEAF7_EBX_AVX2;
}

/* The kernels prepare their vectors with AVX2, which every CPU with AVX-512F has. */
static bool has_avx512(const struct store_features *f)
{
	return has_avx2(f) && has_state(f, XCR0_AVX512) && f->leaf7_ebx & LEAF7_EBX_AVX512F;
}

static bool has_movdir64b(const struct store_features *f)
{
	return f->leaf7_ecx & LEAF7_ECX_MOVDIR64B;
}

static bool has_clzero(const struct store_features *f)
{
	return f->leaf80000008_ebx & LEAF80000008_EBX_CLZERO;
}

/* ---- the kernels ---------------------------------------------------------------------------- */

static const struct store_kernel kernels[STORE_COUNT] = {
	[STORE_PLAIN] = { { "plain", "eight stores of 8 bytes, in C" }, store_plain, NULL, NULL },
	[STORE_LINUX] = { { "linux", "13 stores, as Linux's __init_single_page" }, store_linux,
			  NULL, NULL },
	[STORE_TEMPLATE] = { { "template", "copies of a prepared struct page, then the list" },
			     store_template, "SSE2", has_sse2 },
	[STORE_STOSQ] = { { "stosq", "rep stosq zeroes 16 struct pages, then four fields each" },
			  store_stosq, NULL, NULL },
	[STORE_NTI] = { { "nti", "eight movnti" }, store_nti, "SSE2", has_sse2 },
	[STORE_NT128] = { { "nt128", "four movntdq" }, store_nt128, "SSE2", has_sse2 },
	[STORE_NT256] = { { "nt256", "two vmovntdq" }, store_nt256, "AVX2", has_avx2 },
	[STORE_NT512] = { { "nt512", "one vmovntdq" }, store_nt512, "AVX-512F", has_avx512 },
	[STORE_V256] = { { "v256", "two vmovdqa" }, store_v256, "AVX2", has_avx2 },
	[STORE_V512] = { { "v512", "one vmovdqa" }, store_v512, "AVX-512F", has_avx512 },
	[STORE_MOVDIR64B] = { { "movdir64b", "one movdir64b from prepared struct pages" },
			      store_movdir64b, "MOVDIR64B", has_movdir64b },
	[STORE_CLZERO] = { { "clzero", "clzero for 4096 struct pages, then four fields each" },
			   store_clzero, "CLZERO", has_clzero },
};

const struct store_kernel *store_kernel(enum store store)
{
	return &kernels[store];
}

static const struct word *word_at(uint32_t store)
{
	static const struct word automatic = {
		"auto", "what trials find fastest, for each kind of core"
	};

	return store == STORE_AUTO ? &automatic : &kernels[store].word;
}

const struct word_list store_words = { STORE_AUTO + 1, word_at, NULL, NULL };

const char *store_name(enum store store)
{
	return word_name(&store_words, store);
}

bool store_permitted(enum store store, const struct store_features *features)
{
	return store < STORE_COUNT && (!kernels[store].has || kernels[store].has(features));
}

void store_list(const struct store_features *features, char *text, uint32_t size)
{
	struct text list = text_in(text, size);

	for (int store = 0; store < STORE_COUNT; store++)
		if (store_permitted((enum store)store, features))
			text_add_item(&list, "%s", store_name((enum store)store));
}

/* ---- asking a CPU -------------------------------------------------------------------------- */

static uint64_t read_xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

/* Leaves beyond the last one would repeat another's words [SDM 2A CPUID]. */
static struct cpuid_result leaf_if_there(uint32_t leaf)
{
	if (cpuid(leaf & 0x80000000u, 0).eax < leaf)
		return (struct cpuid_result){ 0 };
	return cpuid(leaf, 0);
}

void store_features_read(struct store_features *features)
{
	struct cpuid_result leaf1 = cpuid(1, 0), leaf7 = leaf_if_there(7);

	*features = (struct store_features){
		.leaf1_ecx = leaf1.ecx,
		.leaf1_edx = leaf1.edx,
		.leaf7_ebx = leaf7.ebx,
		.leaf7_ecx = leaf7.ecx,
		.leaf80000008_ebx = leaf_if_there(0x80000008u).ebx,
		.xcr0 = leaf1.ecx & LEAF1_ECX_OSXSAVE ? read_xcr0() : 0,
	};
}

void store_features_share(struct store_features *features, const struct store_features *other)
{
	features->leaf1_ecx &= other->leaf1_ecx;
	features->leaf1_edx &= other->leaf1_edx;
	features->leaf7_ebx &= other->leaf7_ebx;
	features->leaf7_ecx &= other->leaf7_ecx;
	features->leaf80000008_ebx &= other->leaf80000008_ebx;
	features->xcr0 &= other->xcr0;
}
