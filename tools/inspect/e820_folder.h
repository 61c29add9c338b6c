/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/boot_info.h"

/* Reads /sys/firmware/memmap or a copy of it: a folder for each entry, with files `start`, `end`
 * (inclusive) and `type`. As e820_text_parse; `error` names the folder. A folder without any entry
 * is an error. [Linux Documentation/ABI/testing/sysfs-firmware-memmap] */
bool e820_folder_parse(const char *path, struct boot_memory *out, uint32_t capacity,
		       uint32_t *count, char *error, size_t error_size);
