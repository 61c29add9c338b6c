/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Where Linux takes these tables otherwise than this program, by what Linux 6.12 does:
 * drivers/acpi/numa/srat.c, mm/numa_memblks.c, drivers/acpi/acpica/utcksum.c.
 */
#include <stdint.h>

#include "tools/inspect/inspection.h"

struct as_linux {
	const char *table;
	const char *effect; /* a clause */
};

enum { AS_LINUX_MAX = 16 };

/* Fills `list` and returns how many there are. */
uint32_t as_linux_list(const struct inspection *inspection, struct as_linux list[AS_LINUX_MAX]);
