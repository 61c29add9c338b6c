/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/memory_rate.h"

#include <stddef.h>

#include "lib/random.h"

enum { LINE_WORDS = MEMORY_LINE_BYTES / 8 };

/* Inline assembly, so that the compiler neither leaves out nor merges nor vectorises. */

uint64_t memory_read(const void *from, uint64_t bytes)
{
	const uint64_t *at = from, *end = at + bytes / 8;
	uint64_t sum = 0;

	for (; at < end; at += LINE_WORDS)
		__asm__ volatile("add (%1), %0\n\tadd 8(%1), %0\n\tadd 16(%1), %0\n\t"
				 "add 24(%1), %0\n\tadd 32(%1), %0\n\tadd 40(%1), %0\n\t"
				 "add 48(%1), %0\n\tadd 56(%1), %0"
				 : "+r"(sum)
				 : "r"(at)
				 : "cc", "memory");
	return sum;
}

void memory_write(void *to, uint64_t bytes, uint64_t value)
{
	uint64_t *at = to, *end = at + bytes / 8;

	for (; at < end; at += LINE_WORDS)
		__asm__ volatile("mov %0, (%1)\n\tmov %0, 8(%1)\n\tmov %0, 16(%1)\n\t"
				 "mov %0, 24(%1)\n\tmov %0, 32(%1)\n\tmov %0, 40(%1)\n\t"
				 "mov %0, 48(%1)\n\tmov %0, 56(%1)"
				 :
				 : "r"(value), "r"(at)
				 : "memory");
}

void memory_write_nt(void *to, uint64_t bytes, uint64_t value)
{
	uint64_t *at = to, *end = at + bytes / 8;

	for (; at < end; at += LINE_WORDS)
		__asm__ volatile("movnti %0, (%1)\n\tmovnti %0, 8(%1)\n\tmovnti %0, 16(%1)\n\t"
				 "movnti %0, 24(%1)\n\tmovnti %0, 32(%1)\n\tmovnti %0, 40(%1)\n\t"
				 "movnti %0, 48(%1)\n\tmovnti %0, 56(%1)"
				 :
				 : "r"(value), "r"(at)
				 : "memory");
	__asm__ volatile("sfence" ::: "memory");
}

/* ---- the chain ------------------------------------------------------------------------------ */

struct lines {
	uint8_t *const *pieces;
	uint64_t per_piece;
};

static uint64_t *line(const struct lines *lines, uint64_t index)
{
	return (uint64_t *)(void *)(lines->pieces[index / lines->per_piece] +
				    index % lines->per_piece * MEMORY_LINE_BYTES);
}

/* The shuffle is made in the lines themselves: first with their numbers, then with addresses. */
void *memory_chain(uint8_t *const *pieces, uint32_t count, uint64_t piece_bytes, uint64_t seed)
{
	struct lines lines = { pieces, piece_bytes / MEMORY_LINE_BYTES };
	uint64_t total = lines.per_piece * count;

	if (!total)
		return NULL;
	for (uint64_t i = 0; i < total; i++)
		*line(&lines, i) = i;
	for (uint64_t i = total - 1; i > 0; i--) {
		uint64_t *a = line(&lines, i), *b = line(&lines, random_u64(&seed) % i);
		uint64_t number = *a;

		*a = *b;
		*b = number;
	}
	for (uint64_t i = 0; i < total; i++)
		*line(&lines, i) = (uint64_t)line(&lines, *line(&lines, i));
	return line(&lines, 0);
}

void *memory_chase(void *from, uint64_t steps)
{
	for (; steps; steps--)
		__asm__ volatile("mov (%0), %0" : "+r"(from) : : "memory");
	return from;
}
