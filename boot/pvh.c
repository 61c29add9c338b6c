/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/pvh.h"

#include "boot/boot_info.h"
#include "lib/bytes.h"
#include "lib/string.h"

static const char TABLE[] = "PVH";
#define START_MAGIC 0x336ec578u

/* struct hvm_start_info, hvm_modlist_entry, hvm_memmap_table_entry [PVH]. */
enum {
	START_MAGIC_AT = 0,
	START_VERSION = 4,
	START_MODULE_COUNT = 12,
	START_MODULES = 16,
	START_CMDLINE = 24,
	START_RSDP = 32,
	START_0_BYTES = 40,
	START_MEMMAP = 40, /* from version 1 on */
	START_MEMMAP_COUNT = 48,
	START_1_BYTES = 56,

	MODULE_START = 0,
	MODULE_LENGTH = 8,
	MODULE_BYTES = 32,

	MEMMAP_START = 0,
	MEMMAP_LENGTH = 8,
	MEMMAP_TYPE = 16,
	MEMMAP_BYTES = 24,
};

enum { PVH_MODULES_MAX = 1024 };

/* A list somewhere in memory that the start information points to. */
struct list {
	uint64_t address;
	uint32_t count;
	uint32_t entry_bytes;
	uint32_t field; /* offset of its address in the start information */
};

static void keep(struct boot_info *info, uint64_t address, uint64_t length, uint32_t field,
		 struct anomaly_log *log)
{
	if (!boot_info_keep(info, address, length))
		anomaly_add(log, TABLE, field, "memory that cannot be kept by itself", address);
}

/* Cuts the list to `limit` entries. */
static void bound_list(struct list *list, uint32_t limit, struct anomaly_log *log)
{
	if (list->count <= limit)
		return;
	anomaly_add(log, TABLE, list->field, "list has too many entries", list->count);
	list->count = limit;
}

/* Entry `i`, or NULL (and a note) where the list leaves what can be read. Entries are mapped one
 * by one, so that a count that is too large costs only what was never there. */
static const uint8_t *list_entry(const struct phys_reader *reader, const struct list *list,
				 uint32_t i, struct anomaly_log *log)
{
	uint64_t offset = (uint64_t)i * list->entry_bytes;
	const uint8_t *entry = NULL;

	if (offset <= UINT64_MAX - list->address)
		entry = reader->map(reader->context, list->address + offset, list->entry_bytes);
	if (!entry)
		anomaly_add(log, TABLE, list->field, "list entry cannot be read", i);
	return entry;
}

static void take_modules(struct boot_info *info, const struct phys_reader *reader,
			 const uint8_t *start_info, struct anomaly_log *log)
{
	struct list list = {
		.address = load_u64(start_info + START_MODULES),
		.count = load_u32(start_info + START_MODULE_COUNT),
		.entry_bytes = MODULE_BYTES,
		.field = START_MODULES,
	};

	bound_list(&list, PVH_MODULES_MAX, log);
	for (uint32_t i = 0; i < list.count; i++) {
		const uint8_t *entry = list_entry(reader, &list, i, log);

		if (!entry)
			return;
		keep(info, list.address + (uint64_t)i * MODULE_BYTES, MODULE_BYTES, list.field,
		     log);
		keep(info, load_u64(entry + MODULE_START), load_u64(entry + MODULE_LENGTH),
		     list.field, log);
	}
}

/* Nothing says how long the text is, and what follows may not be readable: byte by byte. */
static void take_cmdline(struct boot_info *info, const struct phys_reader *reader,
			 uint64_t address, struct anomaly_log *log)
{
	uint64_t length = 0;
	uint8_t byte = 1;

	if (address == 0)
		return;
	while (length < sizeof(info->cmdline) && length <= UINT64_MAX - address) {
		const uint8_t *next = reader->map(reader->context, address + length, 1);

		if (!next)
			break;
		byte = *next;
		if (length < sizeof(info->cmdline) - 1)
			info->cmdline[length] = (char)byte;
		length++;
		if (byte == 0)
			break;
	}
	info->cmdline_cut = byte != 0;
	if (info->cmdline_cut)
		anomaly_add(log, TABLE, START_CMDLINE, "text cut or not terminated", length);
	keep(info, address, length, START_CMDLINE, log);
}

static void take_memmap(struct boot_info *info, const struct phys_reader *reader,
			const uint8_t *start_info, struct anomaly_log *log)
{
	struct list list = {
		.address = load_u64(start_info + START_MEMMAP),
		.count = load_u32(start_info + START_MEMMAP_COUNT),
		.entry_bytes = MEMMAP_BYTES,
		.field = START_MEMMAP,
	};
	uint32_t read = 0, full = 0;

	bound_list(&list, BOOT_MAP_ENTRIES_MAX, log);
	for (; read < list.count; read++) {
		const uint8_t *entry = list_entry(reader, &list, read, log);

		if (!entry)
			break;
		full += !boot_info_add_memory(info, load_u64(entry + MEMMAP_START),
					      load_u64(entry + MEMMAP_LENGTH),
					      memory_type_from_e820(load_u32(entry + MEMMAP_TYPE)));
	}
	boot_info_note_full(full, TABLE, START_MEMMAP, log);
	if (info->memory_count == 0) {
		anomaly_add(log, TABLE, START_MEMMAP_COUNT, "no memory map", list.count);
		return;
	}
	info->map_source = MAP_PVH;
	keep(info, list.address, (uint64_t)read * MEMMAP_BYTES, START_MEMMAP, log);
}

/* The start information with `size` set to what is known of its version; NULL when it is none. */
static const uint8_t *map_start_info(const struct phys_reader *reader, uint64_t address,
				     uint32_t *size, struct anomaly_log *log)
{
	const uint8_t *bytes = reader->map(reader->context, address, START_0_BYTES);
	const uint8_t *longer;

	if (!bytes) {
		anomaly_add(log, TABLE, 0, "start information cannot be read", address);
		return NULL;
	}
	if (load_u32(bytes + START_MAGIC_AT) != START_MAGIC) {
		anomaly_add(log, TABLE, START_MAGIC_AT, "wrong magic number",
			    load_u32(bytes + START_MAGIC_AT));
		return NULL;
	}
	*size = START_0_BYTES;
	if (load_u32(bytes + START_VERSION) == 0) {
		anomaly_add(log, TABLE, START_VERSION, "version 0 has no memory map", 0);
		return bytes;
	}
	longer = reader->map(reader->context, address, START_1_BYTES);
	if (!longer) {
		anomaly_add(log, TABLE, START_MEMMAP, "start information cannot be read to its end",
			    address);
		return bytes;
	}
	*size = START_1_BYTES;
	return longer;
}

bool boot_info_from_pvh(struct boot_info *info, const struct phys_reader *reader, uint64_t address,
			struct anomaly_log *log)
{
	const uint8_t *start_info;
	uint32_t size;

	memset(info, 0, sizeof(*info));
	start_info = map_start_info(reader, address, &size, log);
	if (!start_info)
		return false;
	info->protocol = BOOT_PVH;
	info->rsdp_address = load_u64(start_info + START_RSDP);
	keep(info, address, size, 0, log);
	take_cmdline(info, reader, load_u64(start_info + START_CMDLINE), log);
	if (size >= START_1_BYTES)
		take_memmap(info, reader, start_info, log);
	take_modules(info, reader, start_info, log);
	return true;
}
