/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Capacities of the static tables. More than fits degrades with an anomaly, never breaks. */
enum {
	CPU_MAX = 4096,
	NODE_MAX = 256,
	BOOT_MEMORY_MAX = 4096,  /* entries as the loader gave them */
	MTRR_BORDERS_MAX = 160,  /* of ranges cached alike: 88 fixed, 2 of 32 others, 3 more */
	/* after sanitising at most 2n + 1 pieces, and one more at each such border */
	MEMORY_RANGE_MAX = 2 * BOOT_MEMORY_MAX + 1 + MTRR_BORDERS_MAX,
	SRAT_MEMORY_MAX = 1024,
	SRAT_DEVICE_MAX = 256,
	CEDT_WINDOW_MAX = 64,
	KEEP_MAX = 64,
	CMDLINE_MAX = 4096, /* bytes, with the NUL */
};

#define NODE_NONE UINT32_MAX
#define PXM_NONE UINT32_MAX
