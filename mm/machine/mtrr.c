/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/machine/mtrr.h"

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/string.h"

enum { /* [SDM 4 table 2-2] */
	MSR_MTRR_CAP = 0xfe,
	MSR_MTRR_BASE_0 = 0x200, /* the mask follows; two per range */
	MSR_MTRR_DEF_TYPE = 0x2ff,
	CAP_COUNT = 0xff,
	CAP_FIXED = 1 << 8,
	DEF_TYPE = 0xff,
	DEF_FIXED_ENABLE = 1 << 10,
	DEF_ENABLE = 1 << 11,
	MASK_VALID = 1 << 11,
	/* AMD may keep bits of its own above the type [APM 2 7.9.1] */
	FIXED_TYPE = 7,

	NOTES_MAX = 4,
};

/* [APM 2 7.9.4] */
static const uint32_t msr_syscfg = 0xc0010010, msr_top_mem2 = 0xc001001d;
static const uint64_t syscfg_tom2_write_back = 3ull << 21; /* MtrrTom2En, Tom2ForceMemTypeWB */

#define ADDRESS 0x000ffffffffff000ull
#define TOP_MEM2 0x000fffffff800000ull
#define MIB (1ull << 20)
#define FOUR_GIB (4ull << 30)

static const uint16_t fixed_msrs[MTRR_FIXED] = { 0x250, 0x258, 0x259, 0x268, 0x269, 0x26a,
						 0x26b, 0x26c, 0x26d, 0x26e, 0x26f };

static uint64_t read_or_zero(mtrr_reader *read, uint32_t msr)
{
	uint64_t value;

	return read(msr, &value) ? value : 0;
}

static void read_variable(struct mtrr_state *state, mtrr_reader *read, uint64_t cap)
{
	state->variable_count = min_u32(cap & CAP_COUNT, MTRR_VARIABLE_MAX);
	for (uint32_t i = 0; i < state->variable_count; i++) {
		struct mtrr_variable *range = &state->variable[i];

		range->mask = read_or_zero(read, MSR_MTRR_BASE_0 + 2 * i + 1);
		if (range->mask & MASK_VALID)
			range->base = read_or_zero(read, MSR_MTRR_BASE_0 + 2 * i);
		else
			range->mask = 0;
	}
}

void mtrr_read(struct mtrr_state *state, mtrr_reader *read, bool present, bool amd)
{
	uint64_t cap, def;

	memset(state, 0, sizeof(*state));
	if (!present || !read(MSR_MTRR_CAP, &cap) || !read(MSR_MTRR_DEF_TYPE, &def))
		return;
	state->enabled = (def & DEF_ENABLE) != 0;
	state->fixed_enabled = (def & DEF_FIXED_ENABLE) && (cap & CAP_FIXED);
	state->default_type = def & DEF_TYPE;
	for (uint32_t i = 0; state->fixed_enabled && i < MTRR_FIXED; i++)
		state->fixed[i] = read_or_zero(read, fixed_msrs[i]);
	read_variable(state, read, cap);
	if (amd && (read_or_zero(read, msr_syscfg) & syscfg_tom2_write_back) ==
			   syscfg_tom2_write_back)
		state->top_of_memory = read_or_zero(read, msr_top_mem2) & TOP_MEM2;
}

/*
 * Registers of eight types each:
 *
 *	0                 512 KiB           768 KiB                  1 MiB
 *	|  [0] 64 KiB each |  [1], [2] 16 KiB |  [3] to [10] 4 KiB each |
 */
static enum mtrr_type fixed_type(const struct mtrr_state *state, uint64_t address, uint64_t *end)
{
	uint32_t shift = address < 0x80000 ? 16 : address < 0xc0000 ? 14 : 12;
	uint32_t first = address < 0x80000 ? 0 : address < 0xc0000 ? 8 : 24;
	uint64_t base = address < 0x80000 ? 0 : address < 0xc0000 ? 0x80000 : 0xc0000;
	uint32_t at = first + (uint32_t)((address - base) >> shift);

	*end = ((address >> shift) + 1) << shift;
	return (enum mtrr_type)(state->fixed[at / 8] >> at % 8 * 8 & FIXED_TYPE);
}

/* The addresses that a register names; false when it is not in use or its mask has gaps. */
static bool variable_range(const struct mtrr_variable *range, uint64_t *start, uint64_t *end)
{
	uint64_t mask = range->mask & ADDRESS;
	uint64_t bytes = mask & -mask; /* the lowest bit */

	if (!(range->mask & MASK_VALID) || mask == 0 || (mask / bytes & (mask / bytes + 1)) != 0)
		return false;
	*start = range->base & ADDRESS & ~(bytes - 1);
	*end = *start + bytes;
	return true;
}

/* Of two registers that name one address [SDM 3A 11.11.4.1]. */
static enum mtrr_type both(enum mtrr_type a, enum mtrr_type b)
{
	if (a == b)
		return a;
	if ((a == MTRR_WRITE_THROUGH && b == MTRR_WRITE_BACK) ||
	    (a == MTRR_WRITE_BACK && b == MTRR_WRITE_THROUGH))
		return MTRR_WRITE_THROUGH;
	return MTRR_UNCACHED;
}

static enum mtrr_type default_type(const struct mtrr_state *state, uint64_t address, uint64_t *end)
{
	if (address < FOUR_GIB)
		*end = min_u64(*end, FOUR_GIB);
	else if (address < state->top_of_memory)
		*end = min_u64(*end, state->top_of_memory);
	return address >= FOUR_GIB && address < state->top_of_memory ?
		       MTRR_WRITE_BACK : (enum mtrr_type)state->default_type;
}

enum mtrr_type mtrr_type_at(const struct mtrr_state *state, uint64_t address, uint64_t *end)
{
	enum mtrr_type type = MTRR_UNCACHED;
	bool named = false;

	*end = UINT64_MAX;
	if (!state->enabled)
		return MTRR_UNCACHED;
	if (state->fixed_enabled && address < MIB)
		return fixed_type(state, address, end);
	for (uint32_t i = 0; i < state->variable_count; i++) {
		const struct mtrr_variable *range = &state->variable[i];
		enum mtrr_type own = (enum mtrr_type)(range->base & DEF_TYPE);
		uint64_t range_start, range_end;

		if (!variable_range(range, &range_start, &range_end) || range_end <= address)
			continue;
		if (range_start > address) {
			*end = min_u64(*end, range_start);
			continue;
		}
		*end = min_u64(*end, range_end);
		type = named ? both(type, own) : own;
		named = true;
	}
	return named ? type : default_type(state, address, end);
}

bool mtrr_alike(const struct mtrr_state *a, const struct mtrr_state *b)
{
	if (a->enabled != b->enabled || a->fixed_enabled != b->fixed_enabled ||
	    a->default_type != b->default_type || a->top_of_memory != b->top_of_memory ||
	    a->variable_count != b->variable_count ||
	    memcmp(a->fixed, b->fixed, sizeof(a->fixed)) != 0)
		return false;
	for (uint32_t i = 0; i < a->variable_count; i++)
		if (a->variable[i].base != b->variable[i].base ||
		    a->variable[i].mask != b->variable[i].mask)
			return false;
	return true;
}

/* The first part of [start, end) that is not write-back, false when there is none. */
static bool find_uncached(const struct mtrr_state *state, uint64_t start, uint64_t end,
			  struct range *found)
{
	bool any = false;
	uint64_t to;

	for (uint64_t at = start; at < end; at = to) {
		bool cached = mtrr_type_at(state, at, &to) == MTRR_WRITE_BACK;

		to = min_u64(to, end);
		if (cached && any)
			break;
		if (!cached && !any)
			found->start = at;
		if (!cached)
			found->end = to;
		any |= !cached;
	}
	return any;
}

uint64_t mtrr_first_uncached(const struct mtrr_state *state, const struct memory_map *map)
{
	struct range found;

	for (uint32_t i = 0; state->enabled && i < map->count; i++) {
		const struct memory_range *range = &map->ranges[i];

		if (range->type == MEMORY_USABLE &&
		    find_uncached(state, range->start_pfn << PAGE_SHIFT,
				  range->end_pfn << PAGE_SHIFT, &found))
			return found.start;
	}
	return UINT64_MAX;
}

static bool any_write_back(const struct mtrr_state *state, const struct memory_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		const struct memory_range *range = &map->ranges[i];
		uint64_t start = range->start_pfn << PAGE_SHIFT, end = range->end_pfn << PAGE_SHIFT;
		struct range found;

		if (range->type == MEMORY_USABLE && (!find_uncached(state, start, end, &found) ||
						     found.start > start || found.end < end))
			return true;
	}
	return false;
}

void mtrr_cut_map(const struct mtrr_state *state, struct memory_map *map, struct anomaly_log *log)
{
	uint32_t notes = 0;

	if (!state->enabled)
		return;
	if (!any_write_back(state, map)) {
		anomaly_add(log, "MTRR", 0, "no RAM at all is write-back: not believed", 0);
		return;
	}
	for (uint32_t i = 0; i < map->count; i++) {
		const struct memory_range range = map->ranges[i];
		struct range found;

		if (range.type != MEMORY_USABLE ||
		    !find_uncached(state, range.start_pfn << PAGE_SHIFT,
				   range.end_pfn << PAGE_SHIFT, &found))
			continue;
		memory_map_retype(map, found.start >> PAGE_SHIFT, found.end >> PAGE_SHIFT,
				  MEMORY_UNCACHED);
		if (notes++ < NOTES_MAX)
			anomaly_add(log, "MTRR", found.start,
				    "RAM that is not write-back is left out, up to", found.end);
	}
}
