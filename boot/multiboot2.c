/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/multiboot2.h"

#include "boot/boot_info.h"
#include "lib/bytes.h"
#include "lib/round.h"
#include "lib/string.h"

static const char TABLE[] = "MBI";

enum {
	MBI_HEADER_BYTES = 8,
	MBI_MAX_BYTES = 16 << 20, /* modules lie outside, so that no real one comes near */
	TAG_HEADER_BYTES = 8,
	TAG_ALIGN = 8,
};

/* [MB2 3.6] */
enum tag_type {
	TAG_END = 0,
	TAG_CMDLINE = 1,
	TAG_LOADER = 2,
	TAG_MODULE = 3,
	TAG_MEMINFO = 4,
	TAG_MMAP = 6,
	TAG_FRAMEBUFFER = 8,
	TAG_EFI32_SYSTEM_TABLE = 11,
	TAG_EFI64_SYSTEM_TABLE = 12,
	TAG_RSDP_OLD = 14,
	TAG_RSDP_NEW = 15,
	TAG_EFI_MMAP = 17,
	TAG_EFI_BOOT_SERVICES = 18,
	TAG_EFI32_IMAGE = 19,
	TAG_EFI64_IMAGE = 20,
	TAG_SLOTS = 21
};

/* Offsets within a tag [MB2 3.6.3, 3.6.4, 3.6.6, 3.6.8, 3.6.12]. */
enum {
	TEXT_OFFSET = 8,
	MODULE_START = 8,
	MODULE_END = 12,
	MODULE_BYTES = 16,
	FRAMEBUFFER_ADDRESS = 8,
	FRAMEBUFFER_PITCH = 16,  /* bytes per line */
	FRAMEBUFFER_HEIGHT = 24, /* lines */
	FRAMEBUFFER_BYTES = 28,
	MEMINFO_LOWER_KIB = 8,
	MEMINFO_UPPER_KIB = 12,
	MEMINFO_BYTES = 16,
	MEMINFO_LOWER_MAX_KIB = 640,
	MAP_ENTRY_BYTES = 8,
	MAP_VERSION = 12,
	MAP_ENTRIES = 16,
	RSDP_OFFSET = 8,
	RSDP_1_BYTES = 20,
	RSDP_2_BYTES = 36,
};

/* Entries of the two maps [MB2 3.6.8; UEFI 2.10 7.2.3, EFI_MEMORY_DESCRIPTOR]. */
enum {
	MMAP_START = 0,
	MMAP_LENGTH = 8,
	MMAP_TYPE = 16,
	MMAP_MIN_BYTES = 24,
	EFI_TYPE = 0,
	EFI_START = 8,
	EFI_PAGES = 24,
	EFI_ATTRIBUTE = 32,
	EFI_MIN_BYTES = 40,
	EFI_PAGE_SHIFT = 12,
};

struct tag {
	const uint8_t *bytes; /* NULL: no such tag */
	uint32_t size;        /* all of it readable */
	uint32_t offset;      /* in the boot information */
};

/* The first tag of each type. */
struct tags {
	struct tag of[TAG_SLOTS];
};

/* An entry of either map; false when its length is more than a number holds. */
typedef bool (*entry_reader)(const uint8_t *entry, struct boot_memory *memory);

static void keep_module(struct boot_info *info, const struct tag *tag, struct anomaly_log *log)
{
	uint32_t start, end;

	if (tag->size < MODULE_BYTES) {
		anomaly_add(log, TABLE, tag->offset, "module tag too short", tag->size);
		return;
	}
	start = load_u32(tag->bytes + MODULE_START);
	end = load_u32(tag->bytes + MODULE_END); /* exclusive */
	if (end < start)
		anomaly_add(log, TABLE, tag->offset, "module ends before it starts", start);
	else if (!boot_info_keep(info, start, end - start))
		anomaly_add(log, TABLE, tag->offset,
			    "too many modules: what lies between some is kept, too", start);
}

static void take_tag(struct boot_info *info, struct tags *tags, const struct tag *tag,
		     uint32_t type, struct anomaly_log *log)
{
	if (type == TAG_MODULE)
		keep_module(info, tag, log);
	else if (type >= TAG_SLOTS)
		return;
	else if (tags->of[type].bytes)
		anomaly_add(log, TABLE, tag->offset, "tag given twice, the first one counts", type);
	else
		tags->of[type] = *tag;
}

/* Walks the tags; the step is at least a tag header, so that the walk ends. */
static void walk_tags(struct boot_info *info, struct tags *tags, const uint8_t *bytes,
		      uint32_t size, struct anomaly_log *log)
{
	uint32_t offset = MBI_HEADER_BYTES;

	while (offset < size && size - offset >= TAG_HEADER_BYTES) {
		uint32_t type = load_u32(bytes + offset);
		struct tag tag = { bytes + offset, load_u32(bytes + offset + 4), offset };

		if (type == TAG_END)
			return;
		if (tag.size < TAG_HEADER_BYTES) {
			anomaly_add(log, TABLE, offset, "tag shorter than its header", tag.size);
			return;
		}
		if (tag.size > size - offset) {
			anomaly_add(log, TABLE, offset, "tag runs past the end", tag.size);
			return;
		}
		take_tag(info, tags, &tag, type, log);
		offset += (uint32_t)round_up_u64(tag.size, TAG_ALIGN);
	}
	anomaly_add(log, TABLE, size, "end tag missing", 0);
}

static void take_texts(struct boot_info *info, const struct tags *tags, struct anomaly_log *log)
{
	static const char cut[] = "text cut or not terminated";
	const struct tag *cmdline = &tags->of[TAG_CMDLINE], *loader = &tags->of[TAG_LOADER];

	info->cmdline_cut = cmdline->bytes &&
			    !boot_info_copy_text(info->cmdline, sizeof(info->cmdline),
						 cmdline->bytes + TEXT_OFFSET,
						 cmdline->size - TEXT_OFFSET);
	if (info->cmdline_cut)
		anomaly_add(log, TABLE, cmdline->offset, cut, cmdline->size);
	if (loader->bytes && !boot_info_copy_text(info->loader, sizeof(info->loader),
						  loader->bytes + TEXT_OFFSET,
						  loader->size - TEXT_OFFSET))
		anomaly_add(log, TABLE, loader->offset, cut, loader->size);
}

static bool read_mmap_entry(const uint8_t *entry, struct boot_memory *memory)
{
	memory->start = load_u64(entry + MMAP_START);
	memory->length = load_u64(entry + MMAP_LENGTH);
	memory->type = memory_type_from_e820(load_u32(entry + MMAP_TYPE));
	return true;
}

static bool read_efi_descriptor(const uint8_t *entry, struct boot_memory *memory)
{
	uint64_t pages = load_u64(entry + EFI_PAGES);

	memory->start = load_u64(entry + EFI_START);
	memory->length = pages << EFI_PAGE_SHIFT;
	memory->type = memory_type_from_efi(load_u32(entry + EFI_TYPE),
					    load_u64(entry + EFI_ATTRIBUTE));
	return pages <= UINT64_MAX >> EFI_PAGE_SHIFT;
}

/* Adds the entries of `stride` bytes; returns the offset of the first that was not read. */
static uint32_t take_entries(struct boot_info *info, const struct tag *tag, uint32_t stride,
			     entry_reader read, struct anomaly_log *log)
{
	uint32_t at = MAP_ENTRIES, full = 0;

	for (; tag->size - at >= stride; at += stride) {
		struct boot_memory memory;

		if (!read(tag->bytes + at, &memory)) {
			anomaly_add(log, TABLE, tag->offset + at, "page count overflows",
				    memory.start);
			if (memory.type == MEMORY_USABLE)
				continue;
			memory.length = UINT64_MAX - memory.start;
		}
		full += !boot_info_add_memory(info, memory.start, memory.length, memory.type);
	}
	boot_info_note_full(full, TABLE, tag->offset, log);
	return at;
}

/* Both maps have one layout: entry size, version, entries; an entry may be longer than what is
 * known of it. True when there was at least one entry. */
static bool take_map(struct boot_info *info, const struct tag *tag, uint32_t min_bytes,
		     uint32_t known_version, entry_reader read, struct anomaly_log *log)
{
	uint32_t stride, version, taken;

	if (tag->size < MAP_ENTRIES) {
		anomaly_add(log, TABLE, tag->offset, "memory map tag too short", tag->size);
		return false;
	}
	stride = load_u32(tag->bytes + MAP_ENTRY_BYTES);
	version = load_u32(tag->bytes + MAP_VERSION);
	if (stride < min_bytes) {
		anomaly_add(log, TABLE, tag->offset, "memory map entries too short", stride);
		return false;
	}
	if (version != known_version)
		anomaly_add(log, TABLE, tag->offset, "memory map of unknown version", version);
	taken = take_entries(info, tag, stride, read, log);
	if (taken != tag->size)
		anomaly_add(log, TABLE, tag->offset + taken, "memory map ends within an entry",
			    tag->size - taken);
	if (info->memory_count == 0)
		anomaly_add(log, TABLE, tag->offset, "memory map is empty", 0);
	return info->memory_count > 0;
}

/* The two numbers of old BIOSes; what lies above the first hole is unknown [MB2 3.6.4]. */
static bool take_meminfo(struct boot_info *info, const struct tag *tag, struct anomaly_log *log)
{
	uint64_t lower, upper;

	if (tag->size < MEMINFO_BYTES) {
		anomaly_add(log, TABLE, tag->offset, "memory information tag too short", tag->size);
		return false;
	}
	lower = load_u32(tag->bytes + MEMINFO_LOWER_KIB);
	upper = load_u32(tag->bytes + MEMINFO_UPPER_KIB);
	if (lower > MEMINFO_LOWER_MAX_KIB) {
		anomaly_add(log, TABLE, tag->offset, "more than 640 KiB of lower memory", lower);
		lower = MEMINFO_LOWER_MAX_KIB;
	}
	if (lower > 0)
		boot_info_add_memory(info, 0, lower << 10, MEMORY_USABLE);
	if (upper > 0)
		boot_info_add_memory(info, 1 << 20, upper << 10, MEMORY_USABLE);
	return info->memory_count > 0;
}

/* While the boot services run the firmware goes on to allocate: its map is out of date, and
 * memory of the boot services, which it calls free for us, is in use. */
static bool efi_map_counts(const struct tags *tags, struct anomaly_log *log)
{
	const struct tag *running = &tags->of[TAG_EFI_BOOT_SERVICES];
	const struct tag *map = &tags->of[TAG_EFI_MMAP];

	if (!running->bytes)
		return map->bytes != NULL;
	anomaly_add(log, TABLE, running->offset,
		    map->bytes ? "EFI boot services still run, EFI map not used"
			       : "EFI boot services still run",
		    0);
	return false;
}

static enum map_source take_memory(struct boot_info *info, const struct tags *tags,
				   struct anomaly_log *log)
{
	const struct tag *mmap = &tags->of[TAG_MMAP];
	const struct tag *meminfo = &tags->of[TAG_MEMINFO];

	if (efi_map_counts(tags, log) &&
	    take_map(info, &tags->of[TAG_EFI_MMAP], EFI_MIN_BYTES, 1, read_efi_descriptor, log))
		return MAP_EFI;
	if (mmap->bytes && take_map(info, mmap, MMAP_MIN_BYTES, 0, read_mmap_entry, log))
		return MAP_E820;
	if (meminfo->bytes && take_meminfo(info, meminfo, log))
		return MAP_BASIC_MEMINFO;
	anomaly_add(log, TABLE, 0, "no memory map", 0);
	return MAP_NONE;
}

/* Copies up to `limit` bytes, 20 or 36, and returns how many, or 0. The checksums are left to the
 * reader of ACPI tables. */
static uint32_t take_rsdp(uint8_t *to, const struct tag *tag, uint32_t limit,
			  struct anomaly_log *log)
{
	uint32_t available, length;

	if (!tag->bytes)
		return 0;
	available = tag->size - RSDP_OFFSET;
	if (available < limit)
		anomaly_add(log, TABLE, tag->offset, "RSDP tag too short", tag->size);
	if (available < RSDP_1_BYTES)
		return 0;
	if (memcmp(tag->bytes + RSDP_OFFSET, "RSD PTR ", 8) != 0) {
		anomaly_add(log, TABLE, tag->offset, "RSDP without its signature", 0);
		return 0;
	}
	length = available < limit ? RSDP_1_BYTES : limit;
	memcpy(to, tag->bytes + RSDP_OFFSET, length);
	return length;
}

/* A screen in memory that the map calls usable would show what is written there. */
static void keep_framebuffer(struct boot_info *info, const struct tag *tag, struct anomaly_log *log)
{
	uint64_t start, bytes;

	if (!tag->bytes || tag->size < FRAMEBUFFER_BYTES)
		return;
	start = load_u64(tag->bytes + FRAMEBUFFER_ADDRESS);
	bytes = (uint64_t)load_u32(tag->bytes + FRAMEBUFFER_PITCH) *
		load_u32(tag->bytes + FRAMEBUFFER_HEIGHT);
	if (!boot_info_keep(info, start, bytes))
		anomaly_add(log, TABLE, tag->offset, "framebuffer cannot be kept by itself", start);
}

static bool any_efi_tag(const struct tags *tags)
{
	static const uint8_t types[] = { TAG_EFI32_SYSTEM_TABLE, TAG_EFI64_SYSTEM_TABLE,
					 TAG_EFI_MMAP,           TAG_EFI_BOOT_SERVICES,
					 TAG_EFI32_IMAGE,        TAG_EFI64_IMAGE };

	for (size_t i = 0; i < sizeof(types); i++) {
		if (tags->of[types[i]].bytes)
			return true;
	}
	return false;
}

/* The readable bytes of the boot information and how many; NULL when not even its header is. */
static const uint8_t *map_information(const struct phys_reader *reader, uint64_t address,
				      uint32_t *size, struct anomaly_log *log)
{
	const uint8_t *bytes = reader->map(reader->context, address, MBI_HEADER_BYTES);

	if (!bytes) {
		anomaly_add(log, TABLE, 0, "boot information cannot be read", address);
		return NULL;
	}
	*size = load_u32(bytes);
	if (*size > MBI_MAX_BYTES) {
		anomaly_add(log, TABLE, 0, "absurd total size", *size);
		*size = MBI_MAX_BYTES;
	}
	if (*size > MBI_HEADER_BYTES) {
		const uint8_t *whole = reader->map(reader->context, address, *size);

		if (whole)
			return whole;
		anomaly_add(log, TABLE, 0, "boot information cannot be read to its end", *size);
	}
	*size = MBI_HEADER_BYTES;
	return bytes;
}

bool boot_info_from_multiboot2(struct boot_info *info, const struct phys_reader *reader,
			       uint64_t address, struct anomaly_log *log)
{
	struct tags tags = { 0 };
	const uint8_t *bytes;
	uint32_t size;

	memset(info, 0, sizeof(*info));
	bytes = map_information(reader, address, &size, log);
	if (!bytes)
		return false;
	info->protocol = BOOT_MULTIBOOT2;
	if (!boot_info_keep(info, address, size))
		anomaly_add(log, TABLE, 0, "boot information wraps", address);
	walk_tags(info, &tags, bytes, size, log);
	take_texts(info, &tags, log);
	keep_framebuffer(info, &tags.of[TAG_FRAMEBUFFER], log);
	info->efi = any_efi_tag(&tags);
	info->map_source = take_memory(info, &tags, log);
	info->rsdp_length = take_rsdp(info->rsdp, &tags.of[TAG_RSDP_NEW], RSDP_2_BYTES, log);
	info->old_rsdp_length = take_rsdp(info->old_rsdp, &tags.of[TAG_RSDP_OLD], RSDP_1_BYTES,
					  log);
	return true;
}
