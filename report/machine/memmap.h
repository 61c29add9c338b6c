/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Where the memmap lies, and how it is mapped. */
#include "mm/machine/memmap.h"
#include "report/field.h"

extern const struct record_type memmap_record;

void report_memmap(struct report *report, const struct memmap *memmap,
		   const struct topology *topology);
