/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Deliberate faults with which the lab tests itself. */
enum inject {
	INJECT_NONE,
	INJECT_PAGE,   /* one struct page is altered before verification: the oracle must name it */
	INJECT_CHUNK,  /* one chunk is claimed twice: the exactly-once check must name it */
	INJECT_UD,     /* an undefined instruction */
	INJECT_STACK,  /* a stack overflow into the guard page */
	INJECT_CPU,    /* the last CPU gets its start-up message under a wrong id */
	INJECT_CPU_UD, /* an undefined instruction on the last CPU */
	INJECT_PRINT,  /* no fault: all CPUs print at the same time */
	/* Experiments pcp and free: once, a free that must not be, which has to be named */
	INJECT_DOUBLE_FREE,
	INJECT_FREE_RESERVED,
	INJECT_FREE_ORDER,
	INJECT_COUNT
};
