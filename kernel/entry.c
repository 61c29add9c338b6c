/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/entry.h"

#include <stddef.h>

#include "kernel/paging.h"
#include "lib/cpu.h"
#include "smp/dispatch/cpu_model.h"

#define IDENTITY_LIMIT (4ull << 30) /* what boot/entry.asm maps */
#define REACH_BITS 47               /* the lower half of all virtual addresses */
#define LARGE_BYTES (2ull << 20)

/* Page tables as boot/entry.asm makes them [SDM 3A 4.5]. */
enum {
	EARLY_PRESENT_WRITE = 3,
	EARLY_LARGE = 1 << 7,
	TABLE_ENTRIES = 512,
	SPARE_TABLES = 8, /* one per 512 GiB, one per GiB of what is read above 4 GiB */
};
#define EARLY_ADDRESS 0x000ffffffffff000ull

static _Alignas(4096) uint64_t spare_tables[SPARE_TABLES][TABLE_ENTRIES];
static uint32_t spare_used;

struct range entry_image(void)
{
	uint64_t start = (uint64_t)__image_start - KERNEL_BASE + entry_facts.moved;

	return (struct range){ start, start + (uint64_t)(__image_end - __image_start) };
}

/* The table that an entry points to, a new one where it points nowhere; NULL when none is left. All
 * lie in the image, thus below 4 GiB. */
static uint64_t *table_below(uint64_t *entry)
{
	if (!*entry) {
		if (spare_used == SPARE_TABLES)
			return NULL;
		*entry = ((uint64_t)spare_tables[spare_used++] - KERNEL_BASE + entry_facts.moved) |
			 EARLY_PRESENT_WRITE;
	}
	return (uint64_t *)(*entry & EARLY_ADDRESS);
}

static bool map_large(uint64_t address)
{
	uint64_t *table = table_below(&((uint64_t *)early_tables)[address >> 39 & 511]);

	if (table)
		table = table_below(&table[address >> 30 & 511]);
	if (table)
		table[address >> 21 & 511] = (address & ~(LARGE_BYTES - 1)) | EARLY_PRESENT_WRITE |
					     EARLY_LARGE;
	return table != NULL;
}

static const void *read_identity(void *context, uint64_t address, uint64_t length)
{
	uint32_t bits = cpu_address_bits(cpuid_here, NULL);
	uint64_t reach = 1ull << (bits < REACH_BITS ? bits : REACH_BITS);

	(void)context;
	if (address >= reach || length > reach - address)
		return NULL;
	for (uint64_t at = address & ~(LARGE_BYTES - 1); at < address + length; at += LARGE_BYTES)
		if (at >= IDENTITY_LIMIT && !map_large(at))
			return NULL;
	return (const void *)address;
}

const struct phys_reader entry_reader = { read_identity, NULL };
