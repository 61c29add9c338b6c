/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/inject_words.h"

static const struct word words[INJECT_COUNT] = {
	[INJECT_PAGE] = { "page", "one struct page is altered before verification" },
	[INJECT_CHUNK] = { "chunk", "one chunk is claimed twice" },
	[INJECT_UD] = { "ud", "an undefined instruction" },
	[INJECT_STACK] = { "stack", "a stack overflow into the guard page" },
	[INJECT_OVERRUN] = { "overrun", "an array on the stack is written beyond its end" },
	[INJECT_CANARY] = { "canary", "the word above the last CPU's stack is overwritten" },
	[INJECT_CPU] = { "cpu", "the last CPU gets its start-up message under a wrong id" },
	[INJECT_CPU_UD] = { "cpu-ud", "an undefined instruction on the last CPU" },
	[INJECT_PRINT] = { "print", "no fault: all CPUs print at the same time" },
	[INJECT_DOUBLE_FREE] = { "double-free", "of pcp and free: a page is freed twice" },
	[INJECT_FREE_RESERVED] = { "free-reserved", "of pcp and free: a reserved page is freed" },
	[INJECT_FREE_ORDER] = { "free-order", "of pcp and free: a page is freed by a wrong order" },
};

static uint32_t value_of(uint32_t index)
{
	return INJECT_NONE + 1 + index;
}

static const struct word *word_at(uint32_t index)
{
	return &words[value_of(index)];
}

const struct word_list inject_words = { INJECT_COUNT - 1, word_at, value_of, NULL };
