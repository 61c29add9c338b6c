/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Fills of memory with one 64-bit value in place of struct pages, the yardstick of store kernels:
 * the same signature, `value` in place of flags. A `value` of equal bytes, since some of them write
 * bytes. */
#include <immintrin.h>
#include <string.h>

#include "mm/machine/page.h"

static inline void raw_stosb(struct page *from, struct page *to, uint64_t value, uint64_t unused)
{
	uint64_t bytes = (uint64_t)((char *)to - (char *)from);

	(void)unused;
	__asm__ volatile("rep stosb" : "+D"(from), "+c"(bytes) : "a"(value) : "memory");
}

static inline void raw_memset(struct page *from, struct page *to, uint64_t value, uint64_t unused)
{
	(void)unused;
	memset(from, (int)value, (size_t)((char *)to - (char *)from));
}

static inline void raw_nt128(struct page *from, struct page *to, uint64_t value, uint64_t unused)
{
	const __m128i v = _mm_set1_epi64x((long long)value);

	(void)unused;
	for (__m128i *at = (__m128i *)from; at != (__m128i *)to; at += 4)
		for (int i = 0; i < 4; i++)
			_mm_stream_si128(at + i, v);
	_mm_sfence();
}

__attribute__((target("avx2"))) static inline void raw_nt256(struct page *from, struct page *to,
							     uint64_t value,
							     uint64_t unused)
{
	const __m256i v = _mm256_set1_epi64x((long long)value);

	(void)unused;
	for (__m256i *at = (__m256i *)from; at != (__m256i *)to; at += 2) {
		_mm256_stream_si256(at, v);
		_mm256_stream_si256(at + 1, v);
	}
	_mm_sfence();
}

__attribute__((target("avx512f"))) static inline void raw_nt512(struct page *from, struct page *to,
								uint64_t value,
								uint64_t unused)
{
	const __m512i v = _mm512_set1_epi64((long long)value);

	(void)unused;
	for (__m512i *at = (__m512i *)from; at != (__m512i *)to; at++)
		_mm512_stream_si512(at, v);
	_mm_sfence();
}

__attribute__((target("clzero"))) static inline void raw_clzero(struct page *from, struct page *to,
								uint64_t value,
								uint64_t unused)
{
	(void)value, (void)unused;
	for (; from != to; from++)
		_mm_clzero(from);
	_mm_sfence();
}
