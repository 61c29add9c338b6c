/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Physical memory for the table loader. Every mapping is a fresh block of exactly the length asked
 * for, so that ASan sees whoever maps a header and reads a table. */
#include "lib/phys.h"
#include "tests/host/acpi_build.h"
#include "tests/host/fake_phys.h"

enum { PHYS_MAPPINGS = 8192 };

struct phys_memory {
	struct fake_phys regions;
	void *mappings[PHYS_MAPPINGS];
	uint32_t mapped;
};

static inline const void *phys_map(void *context, uint64_t address, uint64_t length)
{
	struct phys_memory *memory = context;
	const void *bytes = fake_phys_map(&memory->regions, address, length);
	void *block;

	assert_true(address != 0 && address <= UINT64_MAX - length);
	assert_true(length <= ACPI_TABLE_MAX_BYTES);
	if (!bytes)
		return NULL;
	assert_true(memory->mapped < PHYS_MAPPINGS);
	block = malloc(length);
	assert_non_null(block);
	memcpy(block, bytes, length);
	return memory->mappings[memory->mapped++] = block;
}

static inline struct phys_reader phys_reader(struct phys_memory *memory)
{
	return (struct phys_reader){ .map = phys_map, .context = memory };
}

static inline void phys_add(struct phys_memory *memory, uint64_t address, const void *bytes,
			    uint32_t length)
{
	fake_phys_put(&memory->regions, address, bytes, length);
}

/* Zeros, and where they lie. */
static inline uint8_t *phys_add_zeros(struct phys_memory *memory, uint64_t address, uint32_t length)
{
	uint8_t *zeros = calloc(1, length);

	assert_non_null(zeros);
	phys_add(memory, address, zeros, length);
	free(zeros);
	return memory->regions.regions[memory->regions.count - 1].bytes;
}

/* Takes over what was built. */
static inline void phys_add_table(struct phys_memory *memory, uint64_t address, struct build *b)
{
	phys_add(memory, address, b->bytes, b->length);
	build_free(b);
}

static inline void phys_free(struct phys_memory *memory)
{
	fake_phys_free(&memory->regions);
	while (memory->mapped > 0)
		free(memory->mappings[--memory->mapped]);
}

/* An RSDP of 36 bytes in `to`, of which revision 0 uses 20. */
static inline void build_rsdp(uint8_t to[36], uint8_t revision, uint32_t rsdt, uint64_t xsdt)
{
	struct build b = { 0 };

	build_bytes(&b, "RSD PTR ", 8);
	build_int(&b, 0, 1);
	build_bytes(&b, "TESTER", 6);
	build_int(&b, revision, 1);
	build_int(&b, rsdt, 4);
	build_int(&b, 36, 4);
	build_int(&b, xsdt, 8);
	build_int(&b, 0, 4);
	build_checksum(b.bytes, 20, 8);
	build_checksum(b.bytes, 36, 32);
	memcpy(to, b.bytes, 36);
	build_free(&b);
}
