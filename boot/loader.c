/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/loader.h"

#include "boot/multiboot2.h"
#include "boot/pvh.h"

bool boot_info_read(struct boot_info *info, uint32_t magic, const struct phys_reader *reader,
		    uint64_t address, struct anomaly_log *log)
{
	if (magic == MULTIBOOT2_MAGIC)
		return boot_info_from_multiboot2(info, reader, address, log);
	if (magic == PVH_MAGIC)
		return boot_info_from_pvh(info, reader, address, log);
	return false;
}
