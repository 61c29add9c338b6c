/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "boot/boot_info.h"

/* Reads the PVH start information at physical `address` [Xen public/arch-x86/hvm/start_info.h]. */
bool boot_info_from_pvh(struct boot_info *info, const struct phys_reader *reader, uint64_t address,
			struct anomaly_log *log);
