/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Physical memory of a test: a few regions, each exactly as long as its allocation, so that the
 * address sanitizer sees every byte too many. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/phys.h"

enum { FAKE_REGIONS = 16 };

struct fake_phys {
	struct {
		uint64_t address, length;
		uint8_t *bytes;
	} regions[FAKE_REGIONS];
	uint32_t count;
};

static inline const void *fake_phys_map(void *context, uint64_t address, uint64_t length)
{
	const struct fake_phys *phys = context;

	for (uint32_t i = 0; i < phys->count; i++) {
		uint64_t offset = address - phys->regions[i].address;

		if (address >= phys->regions[i].address && offset <= phys->regions[i].length &&
		    length <= phys->regions[i].length - offset)
			return phys->regions[i].bytes + offset;
	}
	return NULL;
}

/* Copies `length` bytes to physical `address`. */
static inline void fake_phys_put(struct fake_phys *phys, uint64_t address, const void *bytes,
				 uint64_t length)
{
	uint8_t *copy = malloc(length);

	if (!copy || phys->count == FAKE_REGIONS)
		abort();
	memcpy(copy, bytes, length);
	phys->regions[phys->count].address = address;
	phys->regions[phys->count].length = length;
	phys->regions[phys->count++].bytes = copy;
}

static inline void fake_phys_free(struct fake_phys *phys)
{
	while (phys->count > 0)
		free(phys->regions[--phys->count].bytes);
}
