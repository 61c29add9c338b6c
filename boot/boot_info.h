/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Everything a loader told us, copied out of its memory, in one shape for all protocols.
 * Filled before anything is written to memory that the loader may still own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/anomaly.h"
#include "lib/limits.h"
#include "lib/phys.h"
#include "lib/range.h"

/* Ordered from harmless to strict: where entries overlap, the higher value wins. */
enum memory_type {
	MEMORY_NONE = 0,      /* described by nobody */
	MEMORY_USABLE,        /* e820 1, EFI conventional, loader and boot services */
	MEMORY_UNCACHED,      /* RAM that the CPU does not cache; no loader says so, MTRRs do */
	MEMORY_SOFT_RESERVED, /* EFI_MEMORY_SP: RAM set aside for a driver, never touched here */
	MEMORY_ACPI_DATA,     /* e820 3: tables; RAM that could be reclaimed, kept here */
	MEMORY_ACPI_NVS,      /* e820 4 */
	MEMORY_PERSISTENT,    /* e820 7 and 12, EFI 14 */
	MEMORY_UNACCEPTED,    /* EFI 15: a private guest's RAM that it has not accepted yet */
	MEMORY_RESERVED,      /* e820 2 and every type not named here */
	MEMORY_BAD,           /* e820 5, EFI unusable: never touched */
	MEMORY_TYPES
};

enum boot_protocol { BOOT_NONE, BOOT_MULTIBOOT2, BOOT_PVH, BOOT_HOST, BOOT_PROTOCOLS };

enum map_source { MAP_NONE, MAP_EFI, MAP_E820, MAP_PVH, MAP_BASIC_MEMINFO };

/* One entry as the loader gave it, in bytes; `length` may be 0 and start + length may wrap. */
struct boot_memory {
	uint64_t start;
	uint64_t length;
	enum memory_type type;
};

struct boot_info {
	enum boot_protocol protocol;
	enum map_source map_source;
	bool efi;
	char loader[64];
	char cmdline[CMDLINE_MAX];
	bool cmdline_cut;             /* it was longer, or without an end */
	/* The RSDP: copies of its bytes, or the address where it lies, or neither. */
	uint8_t rsdp[36], old_rsdp[20];
	uint32_t rsdp_length;     /* 0, 20 or 36 */
	uint32_t old_rsdp_length; /* of the copy that ACPI 1.0 knows: 0 or 20 */
	uint64_t rsdp_address; /* 0: unknown */
	struct boot_memory memory[BOOT_MEMORY_MAX];
	uint32_t memory_count;
	/* Physical bytes that must not be overwritten: the loader's structures, modules. */
	struct range keep[KEEP_MAX];
	uint32_t keep_count;
};

/* e820 and EFI type numbers as our types [ACPI 6.5 table 15.5; UEFI 2.10 7.2]. */
enum memory_type memory_type_from_e820(uint32_t type);
enum memory_type memory_type_from_efi(uint32_t type, uint64_t attribute);
const char *memory_type_name(enum memory_type type);

const char *boot_protocol_name(enum boot_protocol protocol);

/* For the readers of the protocols. */

/* Adds an entry of the memory map; an empty one may be left out when there is no room.
 * False when there was no room: then usable RAM was given up, this entry or others, and nothing
 * else. What is not usable always holds: it is merged with the nearest entry that is not usable,
 * and takes what lies between. O(1), O(n) without room. */
bool boot_info_add_memory(struct boot_info *info, uint64_t start, uint64_t length,
			  enum memory_type type);

/* No map is longer; of a list that claims to be, no more is read. */
enum { BOOT_MAP_ENTRIES_MAX = 65536 };

/* The anomaly where `count` entries found no room. */
void boot_info_note_full(uint32_t count, const char *table, uint64_t offset,
			 struct anomaly_log *log);

/* Keeps bytes [start, start + length); those already kept and touching become one range. False when
 * there is no room left, where the gap to the nearest range is kept as well, or when start + length
 * wraps, where nothing is. */
bool boot_info_keep(struct boot_info *info, uint64_t start, uint64_t length);

/* Copies text of at most `available` bytes up to its NUL into `to`, which holds `size` and is
 * always terminated. False when the NUL is missing or the text was cut to fit. */
bool boot_info_copy_text(char *to, size_t size, const uint8_t *from, size_t available);
