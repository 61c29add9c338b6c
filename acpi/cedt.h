/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"
#include "lib/limits.h"

/* Physical addresses behind which CXL memory is, or may be put later. */
struct cedt_window {
	uint64_t start, end;       /* bytes, end exclusive, never empty */
	bool nonvolatile;          /* for persistent memory and for no other */
	uint64_t offset;           /* of its entry in the table */
};

struct cedt_facts {
	struct cedt_window windows[CEDT_WINDOW_MAX]; /* CFMWS entries, in table order */
	uint32_t window_count;
};

/* [CXL 3.1 9.18.1]. `facts` is zeroed first; false when absent. A window that is empty or wraps is
 * dropped with an anomaly, as are more than fit. */
bool cedt_parse(const struct acpi_table *table, struct cedt_facts *facts, struct anomaly_log *log);
