/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/paging.h"

#include <stddef.h>

#include "boot/boot_info.h"
#include "kernel/entry.h"
#include "kernel/io.h"
#include "lib/cpu.h"
#include "lib/page_units.h"
#include "lib/round.h"
#include "lib/string.h"
#include "smp/start/percpu.h"

/* Page table entries [SDM 3A 4.5]. */
enum {
	PTE_PRESENT = 1 << 0,
	PTE_WRITE = 1 << 1,
	PTE_WRITE_THROUGH = 1 << 3,
	PTE_CACHE_DISABLE = 1 << 4,
	PTE_LARGE = 1 << 7,
	PTE_GLOBAL = 1 << 8,
	TABLE_ENTRIES = 512,
	LEVEL_4K = 0, /* the level of a table that holds 4 KiB pages */
	LEVEL_2M = 1,
	LEVEL_1G = 2,
	LEVEL_TOP = 3,
};
#define PTE_ADDRESS 0x000ffffffffff000ull
#define PTE_NO_EXECUTE (1ull << 63)
#define SECTION_PAGEBLOCKS 64ull /* of 2 MiB, a byte each */
#define FOUR_GIB_PFN 0x100000ull

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_EXECUTE, ACCESS_DEVICE };

static struct early_alloc *frames;
static const struct memory_map *memory;
static uint64_t top_table;       /* physical */
static uint64_t tables_base;     /* physical + this = where tables can be written now */
static uint64_t physical_limit;  /* CPUID's address width, within the direct map */
static bool no_execute, gib_pages;
static uint64_t direct_gib_pages;
static uint64_t next_device = DEVICE_BASE;
static uint64_t next_stack = STACK_BASE;

/* Until the permanent tables are in use all lie below 4 GiB: the early map reaches no further, and
 * the top one is loaded into CR3 by 32-bit code. */
static uint64_t tables_limit_pfn = FOUR_GIB_PFN;
static uint32_t tables_node = NODE_ANY; /* preferred: what a table maps is used from there */

static uint64_t *table_at(uint64_t physical)
{
	return (uint64_t *)(tables_base + physical);
}

static uint64_t frame_new(uint32_t node)
{
	uint64_t pfn = early_alloc_pages(frames, 1, 1, node, tables_limit_pfn);

	if (pfn == EARLY_ALLOC_NONE && node != NODE_ANY)
		pfn = early_alloc_pages(frames, 1, 1, NODE_ANY, tables_limit_pfn);
	return pfn;
}

static uint64_t table_new(void)
{
	uint64_t pfn = frame_new(tables_node);

	if (pfn == EARLY_ALLOC_NONE)
		return 0;
	memset(table_at(pfn << PAGE_SHIFT), 0, PAGE_BYTES);
	return pfn << PAGE_SHIFT;
}

static uint64_t entry_flags(enum access access)
{
	uint64_t flags = PTE_PRESENT | PTE_GLOBAL;

	if (access == ACCESS_WRITE || access == ACCESS_DEVICE)
		flags |= PTE_WRITE;
	if (access == ACCESS_DEVICE)
		flags |= PTE_CACHE_DISABLE | PTE_WRITE_THROUGH;
	if (access != ACCESS_EXECUTE && no_execute)
		flags |= PTE_NO_EXECUTE;
	return flags;
}

static uint32_t entry_index(uint64_t virtual, uint32_t level)
{
	return (uint32_t)(virtual >> (PAGE_SHIFT + 9 * level)) & (TABLE_ENTRIES - 1);
}

static uint64_t page_bytes(uint32_t level)
{
	return PAGE_BYTES << (9 * level);
}

/* The entry for `virtual` at `level`, with the tables above it made where `make` says so; NULL when
 * there is none (or no memory), or when a larger page maps the place already. */
static uint64_t *entry_find(uint64_t virtual, uint32_t level, bool make)
{
	uint64_t table = top_table;

	for (uint32_t at = LEVEL_TOP; at > level; at--) {
		uint64_t *entry = &table_at(table)[entry_index(virtual, at)];

		if (!(*entry & PTE_PRESENT)) {
			uint64_t below = make ? table_new() : 0;

			if (!below)
				return NULL;
			*entry = below | PTE_PRESENT | PTE_WRITE;
		}
		if (*entry & PTE_LARGE)
			return NULL;
		table = *entry & PTE_ADDRESS;
	}
	return &table_at(table)[entry_index(virtual, level)];
}

static bool is_mapped(uint64_t virtual)
{
	for (uint32_t level = LEVEL_TOP; level <= LEVEL_TOP; level--) {
		const uint64_t *entry = entry_find(virtual, level, false);

		if (!entry || !(*entry & PTE_PRESENT))
			return false;
		if (level == LEVEL_4K || *entry & PTE_LARGE)
			return true;
	}
	return false;
}

/* The largest page that fits at this place. */
static uint32_t best_level(uint64_t virtual, uint64_t physical, uint64_t length)
{
	for (uint32_t level = gib_pages ? LEVEL_1G : LEVEL_2M; level > LEVEL_4K; level--)
		if (((virtual | physical) & (page_bytes(level) - 1)) == 0 &&
		    length >= page_bytes(level))
			return level;
	return LEVEL_4K;
}

/* Maps one page; if the place is mapped already it stays as it is. */
static bool map_page(uint64_t virtual, uint64_t physical, uint32_t level, enum access access)
{
	uint64_t *entry = entry_find(virtual, level, true);

	if (!entry)
		return false;
	if (!(*entry & PTE_PRESENT))
		*entry = physical | entry_flags(access) | (level > LEVEL_4K ? PTE_LARGE : 0);
	return true;
}

/* Maps whole pages of the largest size that fits. */
static bool map(uint64_t virtual, uint64_t physical, uint64_t length, enum access access)
{
	while (length) {
		uint32_t level = best_level(virtual, physical, length);

		if (!map_page(virtual, physical, level, access))
			return false;
		direct_gib_pages += level == LEVEL_1G; /* nothing else here is so large */
		virtual += page_bytes(level);
		physical += page_bytes(level);
		length -= page_bytes(level);
	}
	return true;
}

static bool unmap_page(const char *symbol)
{
	uint64_t *entry = entry_find((uint64_t)symbol, LEVEL_4K, false);

	if (entry)
		*entry = 0;
	return entry != NULL;
}

static bool map_image_part(const char *start, const char *end, enum access access)
{
	uint64_t virtual = (uint64_t)start;

	return map(virtual, virtual - KERNEL_BASE + entry_facts.moved, (uint64_t)(end - start),
		   access);
}

static bool map_image(void)
{
	return map_image_part(__text_start, __text_end, ACCESS_EXECUTE) &&
	       map_image_part(__rodata_start, __rodata_end, ACCESS_READ) &&
	       map_image_part(__data_start, __data_end, ACCESS_WRITE) &&
	       unmap_page(boot_stack_guard) && unmap_page(boot_exception_guard) &&
	       unmap_page(boot_nmi_guard);
}

static bool map_ram(void)
{
	for (uint32_t i = 0; i < memory->count; i++) {
		const struct memory_range *r = &memory->ranges[i];
		uint64_t start = r->start_pfn << PAGE_SHIFT;

		if (r->type == MEMORY_USABLE &&
		    !map(DIRECT_BASE + start, start, (r->end_pfn - r->start_pfn) << PAGE_SHIFT,
			 ACCESS_WRITE))
			return false;
	}
	return true;
}

static void read_cpu_features(void)
{
	uint32_t features = cpuid(0x80000001, 0).edx;
	uint32_t bits = cpu_address_bits(cpuid_here, NULL);

	no_execute = (features & 1u << 20) != 0;
	gib_pages = (features & 1u << 26) != 0;
	physical_limit = bits >= 46 ? DIRECT_BYTES : 1ull << bits;
}

void paging_enable_global_pages(void)
{
	write_cr4(read_cr4() | CR4_PGE);
}

bool paging_init(struct early_alloc *early, const struct memory_map *map_of_memory)
{
	frames = early;
	memory = map_of_memory;
	read_cpu_features();
	top_table = table_new();
	if (!top_table || !map_image() || !map_ram())
		return false;
	write_cr3(top_table);
	tables_base = DIRECT_BASE;
	tables_limit_pfn = UINT64_MAX;
	paging_enable_global_pages();
	return true;
}

/* Firmware may keep its tables in memory of any kind, described or not; only what it calls bad, and
 * what no address line reaches, is left alone. */
static bool readable(uint64_t physical, uint64_t length)
{
	if (length == 0 || physical >= physical_limit || length > physical_limit - physical)
		return false;
	return memory_map_type(memory, physical >> PAGE_SHIFT) != MEMORY_BAD;
}

static const void *read_direct(void *context, uint64_t physical, uint64_t length)
{
	uint64_t end = round_up_u64(physical + length, PAGE_BYTES);

	(void)context;
	if (!readable(physical, length))
		return NULL;
	for (uint64_t page = physical & ~(PAGE_BYTES - 1); page < end; page += PAGE_BYTES)
		if (!is_mapped(DIRECT_BASE + page) &&
		    !map(DIRECT_BASE + page, page, PAGE_BYTES, ACCESS_READ))
			return NULL;
	return direct(physical);
}

const struct phys_reader paging_reader = { read_direct, NULL };

volatile void *paging_map_device(uint64_t physical, uint64_t length)
{
	uint64_t offset = physical & (PAGE_BYTES - 1);
	uint64_t bytes = round_up_u64(offset + length, PAGE_BYTES);
	uint64_t virtual = next_device;

	if (physical >= physical_limit || length > physical_limit - physical)
		return NULL;
	for (uint64_t at = 0; at < bytes; at += PAGE_BYTES)
		if (!map(virtual + at, physical - offset + at, PAGE_BYTES, ACCESS_DEVICE))
			return NULL;
	next_device += bytes;
	return (volatile void *)(virtual + offset);
}

void *paging_map_stack(uint64_t pages)
{
	uint64_t bottom = next_stack + PAGE_BYTES; /* above the guard page, which stays unmapped */

	for (uint64_t i = 0; i < pages; i++) {
		uint64_t pfn = early_alloc_pages(frames, 1, 1, NODE_ANY, UINT64_MAX);

		if (pfn == EARLY_ALLOC_NONE ||
		    !map(bottom + i * PAGE_BYTES, pfn << PAGE_SHIFT, PAGE_BYTES, ACCESS_WRITE))
			return NULL;
	}
	next_stack = bottom + pages * PAGE_BYTES;
	return (void *)next_stack;
}

bool paging_map_identity(uint64_t pfn)
{
	uint64_t physical = pfn << PAGE_SHIFT;

	return map(physical, physical, PAGE_BYTES, ACCESS_EXECUTE);
}

/* The page that maps the memmap of this section, and with 1 GiB pages that of its neighbours: the
 * first of them maps it, the others find it mapped. */
static bool map_section(const struct memmap_section *section)
{
	uint64_t virtual = MEMMAP_BASE + section->section * HUGE_PAGE_BYTES;
	uint64_t physical = section->backing_pfn << PAGE_SHIFT;

	switch (section->mapping) {
	case VMEMMAP_1G:
		return map_page(virtual & ~(page_bytes(LEVEL_1G) - 1),
				physical & ~(page_bytes(LEVEL_1G) - 1), LEVEL_1G, ACCESS_WRITE);
	case VMEMMAP_2M:
		return map_page(virtual, physical, LEVEL_2M, ACCESS_WRITE);
	case VMEMMAP_4K:
	default:
		for (uint64_t at = 0; at < HUGE_PAGE_BYTES; at += PAGE_BYTES)
			if (!map_page(virtual + at, physical + at, LEVEL_4K, ACCESS_WRITE))
				return false;
		return true;
	}
}

/* Where a new page of bytes begins, it comes from the node of the first section that needs it. */
static bool map_pageblocks(const struct memmap_section *section)
{
	uint64_t virtual = PAGEBLOCK_BASE + section->section * SECTION_PAGEBLOCKS;
	uint64_t page = virtual & ~(PAGE_BYTES - 1), pfn;

	if (is_mapped(page))
		return true;
	pfn = frame_new(section->node);
	return pfn != EARLY_ALLOC_NONE &&
	       map_page(page, pfn << PAGE_SHIFT, LEVEL_4K, ACCESS_WRITE);
}

bool paging_map_memmap(const struct memmap *memmap)
{
	bool done = true;

	for (uint64_t i = 0; i < memmap->count && done; i++) {
		tables_node = memmap->sections[i].backing_node;
		done = map_section(&memmap->sections[i]) && map_pageblocks(&memmap->sections[i]);
	}
	tables_node = NODE_ANY;
	return done;
}

enum vmemmap paging_largest(enum vmemmap asked)
{
	return asked == VMEMMAP_1G && !gib_pages ? VMEMMAP_2M : asked;
}

bool paging_is_guard(uint64_t address)
{
	uint64_t page = address & ~(PAGE_BYTES - 1);

	if (page == (uint64_t)boot_stack_guard || page == (uint64_t)boot_exception_guard ||
	    page == (uint64_t)boot_nmi_guard)
		return true;
	return address >= STACK_BASE && address < next_stack && !is_mapped(page);
}

uint64_t paging_direct_gib_pages(void)
{
	return direct_gib_pages;
}
