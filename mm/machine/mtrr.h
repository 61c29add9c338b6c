/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Memory type range registers: which addresses a CPU caches, as the firmware has set it
 * [SDM 3A 11.11; APM 2 7.7]. RAM that is not write-back is some hundred times slower; Linux leaves
 * it out [Linux arch/x86/kernel/cpu/mtrr/cleanup.c, mtrr_trim_uncached_memory].
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/anomaly.h"
#include "mm/machine/memory_map.h"

enum { MTRR_FIXED = 11, MTRR_VARIABLE_MAX = 32 };

/* Encodings of the registers [SDM 3A table 11-8]. */
enum mtrr_type {
	MTRR_UNCACHED = 0,
	MTRR_WRITE_COMBINING = 1,
	MTRR_WRITE_THROUGH = 4,
	MTRR_WRITE_PROTECTED = 5,
	MTRR_WRITE_BACK = 6,
};

struct mtrr_state {
	bool enabled;           /* false: the CPU has none, or they are off */
	bool fixed_enabled;     /* they go first below 1 MiB */
	uint8_t default_type;   /* of what no register names */
	uint64_t top_of_memory; /* AMD's TOP_MEM2 where it makes 4 GiB and up write-back, else 0 */
	uint64_t fixed[MTRR_FIXED]; /* eight types each, from address 0 on [SDM 3A table 11-9] */
	uint32_t variable_count;
	struct mtrr_variable {
		uint64_t base, mask; /* as in the registers; zeros where not in use */
	} variable[MTRR_VARIABLE_MAX];
};

/* Reads a model-specific register; false when the CPU does not have it. */
typedef bool mtrr_reader(uint32_t msr, uint64_t *value);

/* Reads those of the calling CPU. `present`: CPUID 1 EDX bit 12; `amd`: a CPU of AMD or Hygon, of
 * family 15 or later. Unreadable registers count as unused. */
void mtrr_read(struct mtrr_state *state, mtrr_reader *read, bool present, bool amd);

/* The type at `address`, which is the same up to *end, not included; *end > address. Where
 * registers overlap in ways that are not defined it is MTRR_UNCACHED. A mask whose upper bits are
 * missing counts as if it had them, as Linux mends it; a register whose mask has gaps is passed
 * over. */
enum mtrr_type mtrr_type_at(const struct mtrr_state *state, uint64_t address, uint64_t *end);

bool mtrr_alike(const struct mtrr_state *a, const struct mtrr_state *b);

/* The first byte of usable RAM that is not write-back, UINT64_MAX when all is or nothing is
 * enabled. */
uint64_t mtrr_first_uncached(const struct mtrr_state *state, const struct memory_map *map);

/* Makes MEMORY_UNCACHED of the usable RAM that is not write-back, with an anomaly for each range
 * (the first few) that gives its start and end. Where nothing at all would be left that is only
 * noted: such registers were never set. */
void mtrr_cut_map(const struct mtrr_state *state, struct memory_map *map, struct anomaly_log *log);
