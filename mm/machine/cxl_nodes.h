/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "acpi/cedt.h"
#include "acpi/srat.h"
#include "lib/anomaly.h"
#include "mm/machine/memory_map.h"

/* Whether a range of the SRAT reaches into the window. */
bool cxl_window_in_srat(const struct cedt_window *window, const struct srat_facts *srat);

/* RAM in a CXL window into which no range of the SRAT reaches gets a domain of its own, the next
 * above the highest, with an anomaly: a range for the window is appended to the SRAT's. [Linux
 * drivers/acpi/numa/srat.c, acpi_parse_cfmws, since 5.16] Linux makes nodes of windows without RAM,
 * too, for what is plugged in later; here they are none. */
void cxl_nodes_join(const struct cedt_facts *cedt, const struct memory_map *map,
		    struct srat_facts *srat, struct anomaly_log *log);
