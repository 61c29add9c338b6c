#pragma once
/*
 * Store kernels: ways of writing the same 64 bytes of a struct page. What they leave in memory is equal;
 * what they do to caches and to the memory bus is not. Non-temporal stores need no read of the line before
 * (no read-for-ownership) and push the line out, so that freeing right after has to fetch it back.
 *
 * The functions are in mm/store.asm, the same in the kernel and on a host. They use vector registers
 * without saving them: nothing else in the kernel does.
 */
#include <stdbool.h>
#include <stdint.h>

#include "boot/cmdline.h"
#include "mm/page.h"

/* Fills [from, to), all with the same flags word; weakly ordered stores are fenced before it returns. */
typedef void store_function(struct page *from, struct page *to, uint64_t flags);

struct store_kernel {
	const char *name;          /* as in store= */
	store_function *fill;
	const char *needs;         /* for a person: "AVX-512F", "MOVDIR64B", ... ; NULL: nothing */
};

/* What a CPU must have, read once per machine (all CPUs are given the same XCR0). */
struct store_features {
	uint32_t leaf1_ecx, leaf1_edx, leaf7_ebx, leaf7_ecx, leaf80000008_ebx;
	uint64_t xcr0;             /* 0 where OSXSAVE is off */
};

const struct store_kernel *store_kernel(enum store store);

/* Whether `store` may be used with these features [SDM 1 13.2, 14.3; APM 3 CLZERO]. */
bool store_permitted(enum store store, const struct store_features *features);
