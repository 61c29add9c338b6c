/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "boot/boot_info.h"

/* Reads Multiboot2 boot information at physical `address` [MB2 3.4 to 3.6]. `info` is zeroed
 * first. Damage is noted in `log` and skipped; false only when not even the header can be read.
 * Prefers the EFI map over the e820 map over the basic memory information; the 36-byte RSDP over
 * the 20-byte one. */
bool boot_info_from_multiboot2(struct boot_info *info, const struct phys_reader *reader,
			       uint64_t address, struct anomaly_log *log);
