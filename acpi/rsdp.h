/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "acpi/tables.h"

/* Whether `bytes` are an RSDP whose checksums hold: revision 0 of 20 bytes, 2 and up of 36
 * [ACPI 6.5 5.2.5.3]. A broken extended checksum leaves the 20-byte part usable. Returns the usable
 * length, 20 or 36, or 0. */
uint32_t acpi_rsdp_check(const uint8_t *bytes, uint32_t available);

/* Whether they are one of revision 2 or up of which only the 20-byte part holds, so that its XSDT
 * does not count. */
bool acpi_rsdp_is_cut(const uint8_t *bytes, uint32_t available);

/* Searches the EBDA's first KiB and 0xE0000 to 0xFFFFF on 16-byte boundaries [ACPI 6.5 5.2.5.1],
 * but only above `after`: 0 at first, then the one found before, whose tables were no good. The
 * physical address, or 0. */
uint64_t acpi_rsdp_search(const struct phys_reader *reader, uint64_t after);
