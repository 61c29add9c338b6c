/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* HMATs for tests. */
#include "acpi/hmat.h"
#include "tests/host/acpi_build.h"

enum { FIXED = 40 };

static inline void hmat_begin(struct build *b, uint8_t revision)
{
	build_header(b, "HMAT", revision);
	build_int(b, 0, 4);
}

static inline void add_header(struct build *b, uint16_t type, uint32_t length)
{
	build_int(b, type, 2);
	build_int(b, 0xeeee, 2);
	build_int(b, length, 4);
}

static inline void add_proximity(struct build *b, uint16_t flags, uint32_t initiator,
				 uint32_t memory)
{
	add_header(b, 0, 40);
	build_int(b, flags, 2);
	build_int(b, 0, 2);
	build_int(b, initiator, 4);
	build_int(b, memory, 4);
	build_zeros(b, 20);
}

static inline void add_locality(struct build *b, uint8_t hierarchy, uint8_t data, uint64_t base,
				uint32_t initiators, uint32_t targets)
{
	add_header(b, 1, 32 + 4 * initiators + 4 * targets + 2 * initiators * targets);
	build_int(b, hierarchy, 1);
	build_int(b, data, 1);
	build_int(b, 0, 2);
	build_int(b, initiators, 4);
	build_int(b, targets, 4);
	build_int(b, 0, 4);
	build_int(b, base, 8);
}

/* Initiators 4 and 1, targets 1, 0x10000 and 4; entries as given, row by row. */
static inline void add_matrix(struct build *b, uint8_t hierarchy, uint8_t data, uint64_t base,
		       const uint16_t entries[6])
{
	add_locality(b, hierarchy, data, base, 2, 3);
	build_int(b, 4, 4);
	build_int(b, 1, 4);
	build_int(b, 1, 4);
	build_int(b, 0x10000, 4);
	build_int(b, 4, 4);
	for (uint32_t i = 0; i < 6; i++)
		build_int(b, entries[i], 2);
}
