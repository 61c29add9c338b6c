/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The kernel's address space (docs/address-space.md has the picture):
 *   DIRECT_BASE   + p   all RAM and the firmware's tables, by physical address
 *   DEVICE_BASE         device registers, uncached
 *   STACK_BASE          stacks, each above an unmapped guard page
 *   MEMMAP_BASE         the memmap: struct page of frame pfn at MEMMAP_BASE + 64 * pfn
 *   PAGEBLOCK_BASE      the migratetype of pageblock n, one byte, at PAGEBLOCK_BASE + n
 *   KERNEL_BASE         the image: text read-execute, rodata read-only, data read-write
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/phys.h"
#include "mm/machine/early_alloc.h"
#include "mm/machine/machine.h"
#include "mm/machine/memmap.h"
#include "mm/machine/memory_map.h"

#define DIRECT_BASE 0xffff888000000000ull
#define DIRECT_BYTES MACHINE_RAM_END_BYTES
#define DEVICE_BASE 0xffffc90000000000ull
#define STACK_BASE 0xffffd00000000000ull
#define MEMMAP_BASE 0xffffea0000000000ull
#define PAGEBLOCK_BASE 0xffffec0000000000ull
#define KERNEL_BASE 0xffffffff80000000ull

static inline void *direct(uint64_t physical)
{
	return (void *)(DIRECT_BASE + physical);
}

/* Builds the permanent tables and switches to them. False when memory for them ran out. */
bool paging_init(struct early_alloc *early, const struct memory_map *map);

/* On each CPU, once it runs with the permanent tables: paging must be on before global pages are
 * [SDM 3A 2.5, CR4.PGE]. */
void paging_enable_global_pages(void);

/* Physical bytes through the direct map; maps them read-only first when they are no RAM. NULL when
 * the address is out of reach. For tables of the firmware. */
extern const struct phys_reader paging_reader;

/* Device registers, uncached; NULL when out of memory. */
volatile void *paging_map_device(uint64_t physical, uint64_t length);

/* A stack of `pages` pages, an unmapped page below; returns its top, NULL when out of memory. */
void *paging_map_stack(uint64_t pages);

/* Maps one frame at its own address, executable, for the start-up code of other CPUs. */
bool paging_map_identity(uint64_t pfn);

/* The largest pages that the CPU has, up to `asked`. */
enum vmemmap paging_largest(enum vmemmap asked);

/* Maps the memmap as planned and, for its sections only, the bytes of their pageblocks; the page
 * tables come from the nodes that back what they map. */
bool paging_map_memmap(const struct memmap *memmap);

/* Whether `address` lies in a guard page below a stack. */
bool paging_is_guard(uint64_t address);

/* 1 GiB pages used by the direct map, for the report. */
uint64_t paging_direct_gib_pages(void);
