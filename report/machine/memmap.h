/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Where the memmap lies. */
#include "report/report.h"

void report_memmap(struct report *report, const struct memmap *memmap,
		   const struct topology *topology);
