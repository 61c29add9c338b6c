/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How pure code reads physical memory: the kernel maps, a test hands out arrays. */
#include <stdint.h>

struct phys_reader {
	/* A pointer to `length` readable bytes at physical `address`, or NULL. The pointer stays
	 * good. */
	const void *(*map)(void *context, uint64_t address, uint64_t length);
	void *context;
};
