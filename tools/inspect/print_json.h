/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The answer for programs, on stdout. */
#include <stdbool.h>

#include "tools/inspect/inspection.h"
#include "tools/inspect/load.h"

/* One JSON object; docs/memmap-inspect.md describes it. False when there is no memory for it. */
bool print_json(const struct inspection *inspection, const struct table_folder *folder);
