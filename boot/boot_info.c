/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/boot_info.h"

#include "lib/minmax.h"

enum memory_type memory_type_from_e820(uint32_t type)
{
	switch (type) {
	case 1:
		return MEMORY_USABLE;
	case 3:
		return MEMORY_ACPI_DATA;
	case 4:
		return MEMORY_ACPI_NVS;
	case 5:
		return MEMORY_BAD;
	case 7:
	case 12: /* persistent memory of before ACPI 6.0 */
		return MEMORY_PERSISTENT;
	case 0xefffffff: /* Linux's own number for EFI_MEMORY_SP [Linux asm/e820/types.h] */
		return MEMORY_SOFT_RESERVED;
	default:
		return MEMORY_RESERVED;
	}
}

enum efi_memory_type {
	EFI_LOADER_CODE = 1,
	EFI_LOADER_DATA = 2,
	EFI_BOOT_SERVICES_CODE = 3,
	EFI_BOOT_SERVICES_DATA = 4,
	EFI_CONVENTIONAL = 7,
	EFI_UNUSABLE = 8,
	EFI_ACPI_RECLAIM = 9,
	EFI_ACPI_NVS = 10,
	EFI_PERSISTENT = 14,
	EFI_UNACCEPTED = 15,
};
#define EFI_MEMORY_SP 0x40000ull

enum memory_type memory_type_from_efi(uint32_t type, uint64_t attribute)
{
	switch (type) {
	case EFI_LOADER_CODE:
	case EFI_LOADER_DATA:
	case EFI_BOOT_SERVICES_CODE:
	case EFI_BOOT_SERVICES_DATA:
	case EFI_CONVENTIONAL:
		return attribute & EFI_MEMORY_SP ? MEMORY_SOFT_RESERVED : MEMORY_USABLE;
	case EFI_UNUSABLE:
		return MEMORY_BAD;
	case EFI_ACPI_RECLAIM:
		return MEMORY_ACPI_DATA;
	case EFI_ACPI_NVS:
		return MEMORY_ACPI_NVS;
	case EFI_PERSISTENT:
		return MEMORY_PERSISTENT;
	case EFI_UNACCEPTED:
		return MEMORY_UNACCEPTED;
	default:
		return MEMORY_RESERVED;
	}
}

/* The words of the `range` records. */
const char *memory_type_name(enum memory_type type)
{
	static const char *const names[MEMORY_TYPES] = {
		[MEMORY_NONE] = "none",
		[MEMORY_USABLE] = "usable",
		[MEMORY_UNCACHED] = "uncached",
		[MEMORY_SOFT_RESERVED] = "soft-reserved",
		[MEMORY_ACPI_DATA] = "acpi-data",
		[MEMORY_ACPI_NVS] = "acpi-nvs",
		[MEMORY_PERSISTENT] = "persistent",
		[MEMORY_UNACCEPTED] = "unaccepted",
		[MEMORY_RESERVED] = "reserved",
		[MEMORY_BAD] = "bad",
	};

	return (uint32_t)type < MEMORY_TYPES ? names[type] : "none";
}

const char *boot_protocol_name(enum boot_protocol protocol)
{
	static const char *const names[BOOT_PROTOCOLS] = {
		[BOOT_NONE] = "none",
		[BOOT_MULTIBOOT2] = "multiboot2",
		[BOOT_PVH] = "pvh",
		[BOOT_HOST] = "host",
	};

	return (uint32_t)protocol < BOOT_PROTOCOLS ? names[protocol] : "none";
}

/* How far apart two entries are, in bytes; 0 where they overlap or touch. */
static uint64_t gap_between(const struct boot_memory *a, const struct boot_memory *b)
{
	const struct boot_memory *low = a->start < b->start ? a : b;
	const struct boot_memory *high = low == a ? b : a;
	uint64_t low_last = low->start + (low->length - 1);

	return high->start > low_last ? high->start - low_last - 1 : 0;
}

static bool is_sound(const struct boot_memory *entry)
{
	return entry->length && entry->start + (entry->length - 1) >= entry->start;
}

/* Of the entries that are not usable the one nearest to `entry`; NULL: there is none. */
static struct boot_memory *nearest_kept(struct boot_info *info, const struct boot_memory *entry)
{
	struct boot_memory *nearest = NULL;

	for (uint32_t i = 0; i < info->memory_count; i++) {
		struct boot_memory *kept = &info->memory[i];

		if (kept->type != MEMORY_USABLE && is_sound(kept) &&
		    (!nearest || gap_between(kept, entry) < gap_between(nearest, entry)))
			nearest = kept;
	}
	return nearest;
}

static struct boot_memory *smallest(struct boot_info *info)
{
	struct boot_memory *found = &info->memory[0];

	for (uint32_t i = 1; i < info->memory_count; i++)
		if (info->memory[i].length < found->length)
			found = &info->memory[i];
	return found;
}

/* The length from the lower start to the higher end is never 2^64: then both are RAM from 0 on. */
static void merge(struct boot_memory *kept, const struct boot_memory *entry)
{
	uint64_t kept_last = kept->start + (kept->length - 1);
	uint64_t last = max_u64(kept_last, entry->start + (entry->length - 1));

	kept->start = min_u64(kept->start, entry->start);
	kept->length = min_u64(last - kept->start, UINT64_MAX - 1) + 1;
	kept->type = max_u32(kept->type, entry->type);
}

bool boot_info_add_memory(struct boot_info *info, uint64_t start, uint64_t length,
			  enum memory_type type)
{
	struct boot_memory entry = { start, length, type };
	struct boot_memory *kept;

	if (info->memory_count < BOOT_MEMORY_MAX) {
		info->memory[info->memory_count++] = entry;
		return true;
	}
	if (length && !is_sound(&entry))
		entry.length = UINT64_MAX - start; /* what wraps reaches to the end */
	if (type == MEMORY_USABLE || !entry.length)
		return false;
	kept = nearest_kept(info, &entry);
	if (kept)
		merge(kept, &entry);
	else
		*smallest(info) = entry;
	return false;
}

void boot_info_note_full(uint32_t count, const char *table, uint64_t offset,
			 struct anomaly_log *log)
{
	if (count)
		anomaly_add(log, table, offset,
			    "memory map has too many entries: some usable RAM is left out", count);
}

/*
 *     kept     [ a )           [ b )
 *     add               [   )
 *     becomes  [ a )    [        b )      the gap was the smaller one; nothing else lies in it
 */
static void keep_with_nearest(struct range_list *list, uint64_t start, uint64_t end)
{
	uint32_t above = range_list_find(list, start);
	const struct range *ranges = list->ranges;

	if (above == list->count ||
	    (above > 0 && start - ranges[above - 1].end < ranges[above].start - end))
		range_list_add(list, ranges[above - 1].start, end);
	else
		range_list_add(list, start, ranges[above].end);
}

bool boot_info_keep(struct boot_info *info, uint64_t start, uint64_t length)
{
	struct range_list list = { info->keep, info->keep_count, KEEP_MAX };
	bool kept;

	if (length > UINT64_MAX - start)
		return false;
	kept = range_list_add(&list, start, start + length);
	if (!kept)
		keep_with_nearest(&list, start, start + length);
	info->keep_count = list.count;
	return kept;
}

bool boot_info_copy_text(char *to, size_t size, const uint8_t *from, size_t available)
{
	size_t length = 0;

	while (length < available && length < size - 1 && from[length] != 0) {
		to[length] = (char)from[length];
		length++;
	}
	to[length] = '\0';
	return length < available && from[length] == 0;
}
