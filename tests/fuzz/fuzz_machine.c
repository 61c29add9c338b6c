/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables and memory maps of any bytes through parsers, topology, memmap and plan: nothing may read
 * out of bounds, hang or fail an assertion. Input: records of kind (1 byte), length (2), bytes; a
 * table's bytes come after its header, of which only the revision (kind / 8) is read.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/bytes.h"
#include "tools/inspect/inspection.h"

enum { RECORD_HEADER = 3, ENTRY_BYTES = 17, ENTRIES_MAX = 256, TABLE_REVISION = 8 };

struct input {
	struct acpi_tables tables;
	struct boot_memory entries[ENTRIES_MAX];
	uint32_t entry_count;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Memory of exactly its size, so that ASan sees the first byte too many. */
static void take_table(struct acpi_table *table, uint8_t revision, const uint8_t *bytes,
		       uint32_t length)
{
	uint8_t *copy;

	if (table->bytes)
		return;
	copy = calloc(1, ACPI_HEADER_BYTES + length);
	copy[TABLE_REVISION] = revision;
	memcpy(copy + ACPI_HEADER_BYTES, bytes, length);
	table->bytes = copy;
	table->length = ACPI_HEADER_BYTES + length;
}

static void take_entries(struct input *input, const uint8_t *bytes, uint32_t length)
{
	for (; length >= ENTRY_BYTES && input->entry_count < ENTRIES_MAX; length -= ENTRY_BYTES) {
		input->entries[input->entry_count++] = (struct boot_memory){
			load_u64(bytes), load_u64(bytes + 8), memory_type_from_e820(bytes[16]),
		};
		bytes += ENTRY_BYTES;
	}
}

static void take_record(struct input *input, uint8_t kind, const uint8_t *bytes, uint32_t length)
{
	struct acpi_table *tables[] = { &input->tables.madt, &input->tables.srat,
					&input->tables.slit, &input->tables.hmat,
					&input->tables.cedt, &input->tables.mcfg };

	if (kind % 8 < 6)
		take_table(tables[kind % 8], kind / 8, bytes, length);
	else
		take_entries(input, bytes, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct inspection inspection;
	struct input input = { .entry_count = 0 };
	struct memory_input memory = { input.entries, 0 };

	while (size >= RECORD_HEADER) {
		uint32_t length = load_u16(data + 1);

		if (length > size - RECORD_HEADER)
			length = (uint32_t)(size - RECORD_HEADER);
		take_record(&input, data[0], data + RECORD_HEADER, length);
		data += RECORD_HEADER + length;
		size -= RECORD_HEADER + length;
	}
	memory.count = input.entry_count;
	if (!memory.count)
		memory.entries = NULL;
	memset(&inspection, 0, sizeof(inspection));
	inspection.policy = POLICY_PADATA;
	inspection.given.address_bits = 52;
	inspect(&inspection, &input.tables, &memory);
	inspection_free(&inspection);
	free((void *)(uintptr_t)input.tables.madt.bytes);
	free((void *)(uintptr_t)input.tables.srat.bytes);
	free((void *)(uintptr_t)input.tables.slit.bytes);
	free((void *)(uintptr_t)input.tables.hmat.bytes);
	free((void *)(uintptr_t)input.tables.cedt.bytes);
	free((void *)(uintptr_t)input.tables.mcfg.bytes);
	return 0;
}
