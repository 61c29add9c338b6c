/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/hpet_fadt.h"

#include "acpi/note.h"
#include "acpi/tables.h"
#include "lib/bytes.h"
#include "lib/string.h"

enum { /* generic address structure [ACPI 6.5 5.2.3.2] */
	GAS_SPACE = 0,
	GAS_ADDRESS = 4,
	GAS_SPACE_MEMORY = 0,
	GAS_SPACE_IO = 1,
};

enum { /* [HPET 3.2.4] */
	HPET_BASE = 40, /* generic address */
	HPET_BYTES = 56,
};

enum { /* [ACPI 6.5 5.2.9]; tables of older revisions end earlier */
	FADT_PM_TIMER = 76,    /* u32, I/O port */
	FADT_PM_TIMER_LENGTH = 91,
	FADT_FLAGS = 112,
	FADT_V1_BYTES = 116,
	FADT_RESET = 116,      /* generic address */
	FADT_RESET_VALUE = 128,
	FADT_RESET_END = 129,
	FADT_X_PM_TIMER = 208, /* generic address */
	FADT_X_PM_TIMER_END = 220,
};

enum {
	FADT_FLAG_TIMER_32BIT = 1u << 8,
	FADT_FLAG_RESET = 1u << 10,
	FADT_FLAG_HW_REDUCED = 1u << 20, /* no PM timer, whatever the other fields say */
};

enum { IO_PORT_MAX = 0xffff, PM_TIMER_BYTES = 4 };

bool hpet_parse(const struct acpi_table *table, struct hpet_facts *facts, struct anomaly_log *log)
{
	const uint8_t *base;

	memset(facts, 0, sizeof(*facts));
	if (!table->bytes)
		return false;
	if (table->length < HPET_BYTES) {
		acpi_note(log, "HPET", 4, "table shorter than its fixed part", table->length);
		return false;
	}
	base = table->bytes + HPET_BASE;
	if (base[GAS_SPACE] != GAS_SPACE_MEMORY || load_u64(base + GAS_ADDRESS) == 0) {
		acpi_note(log, "HPET", HPET_BASE, "no address in memory space", base[GAS_SPACE]);
		return false;
	}
	facts->address = load_u64(base + GAS_ADDRESS);
	return true;
}

/* `port`, or 0 with an anomaly where no I/O instruction reaches it. */
static uint64_t checked_port(uint64_t port, uint64_t offset, struct anomaly_log *log)
{
	if (port <= IO_PORT_MAX)
		return port;
	acpi_note(log, "FADT", offset, "I/O port above 0xffff", port);
	return 0;
}

static uint64_t io_port(const uint8_t *fadt, uint32_t offset, struct anomaly_log *log)
{
	if (fadt[offset + GAS_SPACE] != GAS_SPACE_IO)
		return 0;
	return checked_port(load_u64(fadt + offset + GAS_ADDRESS), offset, log);
}

/* The extended field goes first where it can be used [ACPI 6.5 table 5.9, X_PM_TMR_BLK]. */
static uint64_t pm_timer_port(const struct acpi_table *table, struct anomaly_log *log)
{
	const uint8_t *fadt = table->bytes;
	uint64_t port = 0;

	if (load_u32(fadt + FADT_FLAGS) & FADT_FLAG_HW_REDUCED)
		return 0;
	if (table->length >= FADT_X_PM_TIMER_END)
		port = io_port(fadt, FADT_X_PM_TIMER, log);
	if (port == 0 && fadt[FADT_PM_TIMER_LENGTH] == PM_TIMER_BYTES)
		port = checked_port(load_u32(fadt + FADT_PM_TIMER), FADT_PM_TIMER, log);
	return port;
}

bool fadt_parse(const struct acpi_table *table, struct fadt_facts *facts, struct anomaly_log *log)
{
	uint32_t flags;

	memset(facts, 0, sizeof(*facts));
	if (!table->bytes)
		return false;
	if (table->length < FADT_V1_BYTES) {
		acpi_note(log, "FADT", 4, "table shorter than its fixed part", table->length);
		return false;
	}
	flags = load_u32(table->bytes + FADT_FLAGS);
	facts->pm_timer_port = pm_timer_port(table, log);
	facts->pm_timer_32bit = facts->pm_timer_port != 0 && (flags & FADT_FLAG_TIMER_32BIT) != 0;
	if ((flags & FADT_FLAG_RESET) && table->length >= FADT_RESET_END)
		facts->reset_port = io_port(table->bytes, FADT_RESET, log);
	if (facts->reset_port != 0)
		facts->reset_value = table->bytes[FADT_RESET_VALUE];
	return true;
}
