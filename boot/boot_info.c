/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/boot_info.h"

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
};
#define EFI_MEMORY_SP 0x40000ull

/* Unaccepted memory (15) is reserved: to touch it before it is accepted ends a private guest. */
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
		[MEMORY_SOFT_RESERVED] = "soft-reserved",
		[MEMORY_ACPI_DATA] = "acpi-data",
		[MEMORY_ACPI_NVS] = "acpi-nvs",
		[MEMORY_PERSISTENT] = "persistent",
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

bool boot_info_add_memory(struct boot_info *info, uint64_t start, uint64_t length,
			  enum memory_type type)
{
	if (info->memory_count >= BOOT_MEMORY_MAX)
		return false;
	info->memory[info->memory_count++] = (struct boot_memory){ start, length, type };
	return true;
}

bool boot_info_keep(struct boot_info *info, uint64_t start, uint64_t length)
{
	struct range_list list = { info->keep, info->keep_count, KEEP_MAX };
	bool kept;

	if (length > UINT64_MAX - start)
		return false;
	kept = range_list_add(&list, start, start + length);
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
