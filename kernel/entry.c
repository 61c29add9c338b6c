/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/entry.h"

#include "kernel/paging.h"

#define IDENTITY_LIMIT (4ull << 30) /* what boot/entry.asm maps */

struct range entry_image(void)
{
	uint64_t start = (uint64_t)__image_start - KERNEL_BASE + entry_facts.moved;

	return (struct range){ start, start + (uint64_t)(__image_end - __image_start) };
}

static const void *read_identity(void *context, uint64_t address, uint64_t length)
{
	(void)context;
	if (address >= IDENTITY_LIMIT || length > IDENTITY_LIMIT - address)
		return NULL;
	return (const void *)address;
}

const struct phys_reader entry_reader = { read_identity, NULL };
