/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Deliberate faults with which the lab tests itself; lab/inject_words.c says what each is. */
#include "lib/words.h"

enum inject {
	INJECT_NONE,
	INJECT_PAGE,   /* the oracle must name it */
	INJECT_CHUNK,  /* the exactly-once check must name it */
	INJECT_UD,
	INJECT_STACK,
	INJECT_OVERRUN,
	INJECT_CANARY,
	INJECT_CPU,
	INJECT_CPU_UD,
	INJECT_PRINT,
	/* Experiments pcp and free: once, a free that must not be, which has to be named */
	INJECT_DOUBLE_FREE,
	INJECT_FREE_RESERVED,
	INJECT_FREE_ORDER,
	INJECT_COUNT
};

/* All but INJECT_NONE. */
extern const struct word_list inject_words;
