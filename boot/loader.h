/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The boot protocols, told apart by the number that the loader hands over in a register. */
#include <stdbool.h>
#include <stdint.h>

#include "boot/boot_info.h"

enum { MULTIBOOT2_MAGIC = 0x36d76289, PVH_MAGIC = 0x336ec578 };

/* Reads the information at physical `address` by the protocol with that number. False when there is
 * no such protocol, or when not even the header can be read. */
bool boot_info_read(struct boot_info *info, uint32_t magic, const struct phys_reader *reader,
		    uint64_t address, struct anomaly_log *log);
