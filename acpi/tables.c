/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/tables.h"

#include <stddef.h>

#include "acpi/checksum.h"
#include "acpi/note.h"
#include "lib/bytes.h"
#include "lib/string.h"

enum { /* every table's header [ACPI 6.5 5.2.6] */
	TABLE_LENGTH = 4,
	TABLE_CHECKSUM = 9,
};

enum { /* [ACPI 6.5 5.2.5.3] */
	RSDP_RSDT = 16,
	RSDP_XSDT = 24,
	RSDP_V2_BYTES = 36,
};

/* Far above real machines (some have 200, most of them SSDTs), far below what would take minutes:
 * a damaged length could name millions of tables of 16 MiB. */
enum { ROOT_ENTRIES_MAX = 1024 };

struct known_table {
	char signature[5];
	char name[5];
	size_t member; /* of struct acpi_tables */
};

static const struct known_table known_tables[] = {
	{ "APIC", "MADT", offsetof(struct acpi_tables, madt) },
	{ "SRAT", "SRAT", offsetof(struct acpi_tables, srat) },
	{ "SLIT", "SLIT", offsetof(struct acpi_tables, slit) },
	{ "HMAT", "HMAT", offsetof(struct acpi_tables, hmat) },
	{ "CEDT", "CEDT", offsetof(struct acpi_tables, cedt) },
	{ "MCFG", "MCFG", offsetof(struct acpi_tables, mcfg) },
	{ "FACP", "FADT", offsetof(struct acpi_tables, fadt) },
	{ "HPET", "HPET", offsetof(struct acpi_tables, hpet) },
};

static const struct known_table *find_known(const uint8_t *bytes)
{
	for (uint32_t i = 0; i < sizeof(known_tables) / sizeof(known_tables[0]); i++)
		if (memcmp(bytes, known_tables[i].signature, 4) == 0)
			return &known_tables[i];
	return NULL;
}

/* The reason why a table of `length` bytes by its own header cannot be used, or NULL. */
static const char *length_fault(uint32_t length, uint64_t available)
{
	if (length < ACPI_HEADER_BYTES)
		return "table length below the header's";
	if (length > ACPI_TABLE_MAX_BYTES)
		return "table length absurd";
	if (length > available)
		return "table runs past what can be read";
	return NULL;
}

/* Length and checksum of a table of which `available` bytes are readable, at least its header. */
static bool table_is_whole(const uint8_t *bytes, uint64_t available, const char *name,
			   struct anomaly_log *log)
{
	uint32_t length = load_u32(bytes + TABLE_LENGTH);
	const char *fault = length_fault(length, available);

	if (fault) {
		acpi_note(log, name, TABLE_LENGTH, fault, length);
		return false;
	}
	if (acpi_sum(bytes, length) != 0) {
		acpi_note(log, name, TABLE_CHECKSUM, "checksum wrong", bytes[TABLE_CHECKSUM]);
		return false;
	}
	return true;
}

static struct acpi_table *member_of(struct acpi_tables *tables, const struct known_table *known)
{
	return (struct acpi_table *)((char *)tables + known->member);
}

struct acpi_table *acpi_tables_at(struct acpi_tables *tables, uint32_t number)
{
	if (number >= sizeof(known_tables) / sizeof(known_tables[0]))
		return NULL;
	return member_of(tables, &known_tables[number]);
}

static bool offer(struct acpi_tables *tables, uint64_t address, const uint8_t *bytes,
		  uint64_t available, struct anomaly_log *log)
{
	const struct known_table *known;
	struct acpi_table *table;

	if (available < ACPI_HEADER_BYTES) {
		acpi_note(log, "ACPI", 0, "table shorter than a header", available);
		return false;
	}
	known = find_known(bytes);
	if (!known)
		return false;
	table = member_of(tables, known);
	if (table->bytes) { /* the order of the XSDT decides, as in Linux: the first good one */
		acpi_note(log, known->name, 0, "second table of this signature ignored",
			  load_u32(bytes + TABLE_LENGTH));
		return false;
	}
	if (!table_is_whole(bytes, available, known->name, log))
		return false;
	table->bytes = bytes;
	table->length = load_u32(bytes + TABLE_LENGTH);
	table->address = address;
	return true;
}

bool acpi_tables_offer(struct acpi_tables *tables, const uint8_t *bytes, uint64_t available,
		       struct anomaly_log *log)
{
	return offer(tables, 0, bytes, available, log);
}

static const uint8_t *map_bytes(const struct phys_reader *reader, uint64_t address, uint64_t length)
{
	if (address == 0 || address > UINT64_MAX - length)
		return NULL;
	return reader->map(reader->context, address, length);
}

/* The bytes of the table at `address`: the whole table where its length makes sense and can be
 * read, else the header alone. *available says which; NULL when not even the header is readable. */
static const uint8_t *map_table(const struct phys_reader *reader, uint64_t address,
				uint64_t *available)
{
	const uint8_t *header = map_bytes(reader, address, ACPI_HEADER_BYTES);
	const uint8_t *whole = NULL;
	uint32_t length;

	if (!header)
		return NULL;
	length = load_u32(header + TABLE_LENGTH);
	if (length >= ACPI_HEADER_BYTES && length <= ACPI_TABLE_MAX_BYTES)
		whole = map_bytes(reader, address, length);
	*available = whole ? length : ACPI_HEADER_BYTES;
	return whole ? whole : header;
}

struct root {
	const char *name;     /* also the signature */
	uint32_t entry_bytes; /* 4 in an RSDT, 8 in an XSDT [ACPI 6.5 5.2.7, 5.2.8] */
	struct acpi_table table;
};

static bool root_map(struct root *root, const struct phys_reader *reader, uint64_t address,
		     struct anomaly_log *log)
{
	uint64_t available;
	const uint8_t *bytes = map_table(reader, address, &available);

	if (!bytes) {
		acpi_note(log, root->name, 0, "root table not readable", address);
		return false;
	}
	if (memcmp(bytes, root->name, 4) != 0) {
		acpi_note(log, root->name, 0, "root table has another signature", load_u32(bytes));
		return false;
	}
	if (!table_is_whole(bytes, available, root->name, log))
		return false;
	root->table.bytes = bytes;
	root->table.length = load_u32(bytes + TABLE_LENGTH);
	return true;
}

static void load_entry(struct acpi_tables *tables, const struct phys_reader *reader,
		       const struct root *root, uint32_t offset, struct anomaly_log *log)
{
	const uint8_t *entry = root->table.bytes + offset;
	uint64_t address = root->entry_bytes == 8 ? load_u64(entry) : load_u32(entry);
	uint64_t available;
	const uint8_t *bytes;

	if (address == 0) {
		acpi_note(log, root->name, offset, "entry is 0", 0);
		return;
	}
	bytes = map_table(reader, address, &available);
	if (!bytes) {
		acpi_note(log, root->name, offset, "entry points to nothing readable", address);
		return;
	}
	offer(tables, address, bytes, available, log);
}

static void load_entries(struct acpi_tables *tables, const struct phys_reader *reader,
			 const struct root *root, struct anomaly_log *log)
{
	uint32_t body = root->table.length - ACPI_HEADER_BYTES;
	uint32_t entries = body / root->entry_bytes;

	if (body % root->entry_bytes != 0)
		acpi_note(log, root->name, root->table.length - body % root->entry_bytes,
			  "trailing bytes too few for an entry", body % root->entry_bytes);
	if (entries > ROOT_ENTRIES_MAX) {
		acpi_note(log, root->name, TABLE_LENGTH, "more tables than are looked at", entries);
		entries = ROOT_ENTRIES_MAX;
	}
	for (uint32_t i = 0; i < entries; i++)
		load_entry(tables, reader, root, ACPI_HEADER_BYTES + i * root->entry_bytes, log);
}

bool acpi_tables_load(struct acpi_tables *tables, const struct phys_reader *reader,
		      const uint8_t *rsdp, uint32_t length, struct anomaly_log *log)
{
	struct root xsdt = { .name = "XSDT", .entry_bytes = 8 };
	struct root rsdt = { .name = "RSDT", .entry_bytes = 4 };

	memset(tables, 0, sizeof(*tables));
	if (length >= RSDP_V2_BYTES && load_u64(rsdp + RSDP_XSDT) != 0 &&
	    root_map(&xsdt, reader, load_u64(rsdp + RSDP_XSDT), log)) {
		load_entries(tables, reader, &xsdt, log);
		return true;
	}
	if (root_map(&rsdt, reader, load_u32(rsdp + RSDP_RSDT), log)) {
		load_entries(tables, reader, &rsdt, log);
		return true;
	}
	return false;
}
