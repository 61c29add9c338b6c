/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Store kernels: ways of writing the same 64 bytes of a struct page. What they leave in memory is
 * equal; what they do to caches and to the memory bus is not. Non-temporal stores need no read of
 * the line before (no read-for-ownership) and push the line out, so that freeing right after has to
 * fetch it back.
 *
 * The functions are in store.asm, plain in store.c, the same in the kernel and on a host.
 * They use vector registers without saving them: nothing else in the kernel does.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/words.h"
#include "mm/machine/page.h"

/* docs/store-kernels.md says what each is. */
enum store {
	STORE_PLAIN,
	STORE_LINUX,
	STORE_TEMPLATE,
	STORE_STOSQ,
	STORE_NTI,
	STORE_NT128,
	STORE_NT256,
	STORE_NT512,
	STORE_V256,
	STORE_V512,
	STORE_MOVDIR64B,
	STORE_CLZERO,
	STORE_COUNT,
	STORE_AUTO = STORE_COUNT
};

/* mapcount -1 and refcount 1 or 0, which share a word. */
#define COUNTS_IN_USE (1ull << 32 | UINT32_MAX)
#define COUNTS_FREE UINT32_MAX

/* Fills [from, to), which begins at a multiple of 64 bytes: all with these flags and counts, lru
 * pointing at itself, all else zero. Weakly ordered stores are fenced before it returns. */
typedef void store_function(struct page *from, struct page *to, uint64_t flags, uint64_t counts);

/* What a CPU says of itself. */
struct store_features {
	uint32_t leaf1_ecx, leaf1_edx, leaf7_ebx, leaf7_ecx, leaf80000008_ebx;
	uint64_t xcr0;             /* 0 where OSXSAVE is off */
};

struct store_kernel {
	struct word word;          /* as in store= */
	store_function *fill;
	const char *needs;         /* for a person: "AVX-512F", "MOVDIR64B", ...; NULL: nothing */
	bool (*has)(const struct store_features *features); /* that; NULL: every CPU does */
};

/* Which kernel the memmap is initialised with, by whether freeing follows 4 MiB by 4 MiB. Both are
 * kernels that all CPUs may use, never STORE_AUTO. All zero: plain. */
struct store_choice {
	enum store alone;     /* initialised only, or freed in a pass of its own */
	enum store with_free; /* freed while it may be in the caches */
};

/* The kernels, then `auto`. */
extern const struct word_list store_words;

/* `store` is not STORE_AUTO. */
const struct store_kernel *store_kernel(enum store store);

const char *store_name(enum store store);

/* Whether `store` may be used with these features [SDM 1 13.2, 14.3, 15.2; APM 3 CLZERO]. */
bool store_permitted(enum store store, const struct store_features *features);

/* The names of those permitted, with commas, into `text`. */
void store_list(const struct store_features *features, char *text, uint32_t size);

/* Features of the calling CPU, and what of them remains when they are shared with others. */
void store_features_read(struct store_features *features);
void store_features_share(struct store_features *features, const struct store_features *other);

/* The kernel that is plain C. */
store_function store_plain;
