/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/rsdp.h"

#include "acpi/checksum.h"
#include "acpi/tables.h"
#include "lib/bytes.h"
#include "lib/string.h"

enum { /* [ACPI 6.5 5.2.5.3] */
	RSDP_REVISION = 15,
	RSDP_LENGTH = 20,
	RSDP_V1_BYTES = 20,
	RSDP_V2_BYTES = 36,
};

enum { /* [ACPI 6.5 5.2.5.1] */
	EBDA_SEGMENT_AT = 0x40e, /* u16 in the BIOS data area, a real-mode segment */
	EBDA_SEARCH_BYTES = 1024,
	BIOS_AREA_START = 0xe0000,
	BIOS_AREA_BYTES = 0x20000,
	RSDP_ALIGN = 16,
};

static bool has_signature(const uint8_t *bytes)
{
	return memcmp(bytes, "RSD PTR ", 8) == 0;
}

uint32_t acpi_rsdp_check(const uint8_t *bytes, uint32_t available)
{
	uint32_t length;

	if (available < RSDP_V1_BYTES || !has_signature(bytes) ||
	    acpi_sum(bytes, RSDP_V1_BYTES) != 0)
		return 0;
	if (bytes[RSDP_REVISION] < 2 || available < RSDP_V2_BYTES)
		return RSDP_V1_BYTES;
	length = load_u32(bytes + RSDP_LENGTH);
	if (length < RSDP_V2_BYTES || length > available || acpi_sum(bytes, length) != 0)
		return RSDP_V1_BYTES;
	return RSDP_V2_BYTES;
}

bool acpi_rsdp_is_cut(const uint8_t *bytes, uint32_t available)
{
	return available >= RSDP_V2_BYTES && bytes[RSDP_REVISION] >= 2 &&
	       acpi_rsdp_check(bytes, available) == RSDP_V1_BYTES;
}

/* An RSDP may begin in the area searched and end behind it, hence a mapping of its own. */
static bool is_rsdp(const struct phys_reader *reader, uint64_t address)
{
	const uint8_t *bytes = reader->map(reader->context, address, RSDP_V1_BYTES);

	return bytes && acpi_rsdp_check(bytes, RSDP_V1_BYTES) != 0;
}

static uint64_t search_area(const struct phys_reader *reader, uint64_t start, uint32_t length,
			    uint64_t after)
{
	const uint8_t *bytes = reader->map(reader->context, start, length);

	if (!bytes)
		return 0;
	for (uint32_t at = 0; at < length; at += RSDP_ALIGN)
		if (start + at > after && has_signature(bytes + at) && is_rsdp(reader, start + at))
			return start + at;
	return 0;
}

/* The EBDA ends below the BIOS area: what is searched only ascends. */
uint64_t acpi_rsdp_search(const struct phys_reader *reader, uint64_t after)
{
	const uint8_t *segment = reader->map(reader->context, EBDA_SEGMENT_AT, 2);
	uint64_t ebda = segment ? (uint64_t)load_u16(segment) << 4 : 0;
	uint64_t found = 0;

	if (ebda != 0 && ebda < BIOS_AREA_START)
		found = search_area(reader, ebda, EBDA_SEARCH_BYTES, after);
	return found ? found : search_area(reader, BIOS_AREA_START, BIOS_AREA_BYTES, after);
}
