/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Ranges that firmware speaks of and that are not RAM when the machine boots. */
#include <stdint.h>

#include "tools/inspect/inspection.h"

struct not_ram {
	const char *kind; /* a word */
	uint64_t start, end; /* bytes, end exclusive */
	uint32_t pxm; /* PXM_NONE: in no range of the SRAT */
};

/* Hot-pluggable, non-volatile and specific-purpose ranges of the SRAT, where the memory map has no
 * RAM, and CXL windows that neither SRAT nor map has anything in. The caller frees the list. */
struct not_ram *not_ram_list(const struct inspection *inspection, uint32_t *count);
