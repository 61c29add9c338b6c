/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/srat.h"

#include "acpi/note.h"
#include "acpi/subtable.h"
#include "lib/bytes.h"
#include "lib/string.h"

enum { TABLE_REVISION = 8, SRAT_FIXED_BYTES = 48 }; /* [ACPI 6.5 table 5.58] */

enum { SRAT_LAPIC = 0, SRAT_MEMORY = 1, SRAT_X2APIC = 2 };

enum { /* [ACPI 6.5 5.2.16.1] */
	LAPIC_PXM_LOW = 2,   /* u8 */
	LAPIC_ID = 3,        /* u8 */
	LAPIC_FLAGS = 4,     /* u32 */
	LAPIC_PXM_HIGH = 9,  /* three bytes */
	LAPIC_BYTES = 16,
};

enum { /* [ACPI 6.5 5.2.16.2] */
	MEMORY_PXM = 2,      /* u32 */
	MEMORY_BASE = 8,     /* u64 */
	MEMORY_LENGTH = 16,  /* u64 */
	MEMORY_FLAGS = 28,   /* u32 */
	MEMORY_BYTES = 40,
};

enum { /* [ACPI 6.5 5.2.16.3] */
	X2APIC_PXM = 4,      /* u32 */
	X2APIC_ID = 8,       /* u32 */
	X2APIC_FLAGS = 12,   /* u32 */
	X2APIC_BYTES = 24,
};

enum { FLAG_ENABLED = 1u << 0, MEMORY_HOTPLUG = 1u << 1, MEMORY_NONVOLATILE = 1u << 2 };

struct srat_parse {
	struct subtable_walk walk;
	struct srat_facts *facts;
	uint32_t pxm_mask;
};

static void note(const struct srat_parse *parse, const char *reason, uint64_t value)
{
	acpi_note(parse->walk.log, "SRAT", parse->walk.offset, reason, value);
}

static bool is_enabled(struct srat_parse *parse, uint64_t need_bytes, uint32_t flags_at)
{
	if (parse->walk.length < need_bytes) {
		note(parse, "record shorter than its type", parse->walk.length);
		return false;
	}
	if (load_u32(parse->walk.bytes + flags_at) & FLAG_ENABLED)
		return true;
	parse->facts->disabled++;
	return false;
}

static void add_cpu(struct srat_parse *parse, uint32_t apic_id, uint32_t pxm)
{
	struct srat_facts *facts = parse->facts;

	if (facts->cpu_count == CPU_MAX) {
		note(parse, "more processors than fit", CPU_MAX);
		return;
	}
	facts->cpus[facts->cpu_count++] = (struct srat_cpu){
		.apic_id = apic_id,
		.pxm = pxm & parse->pxm_mask,
	};
}

static void parse_lapic(struct srat_parse *parse)
{
	const uint8_t *bytes = parse->walk.bytes;

	if (!is_enabled(parse, LAPIC_BYTES, LAPIC_FLAGS))
		return;
	add_cpu(parse, bytes[LAPIC_ID],
		bytes[LAPIC_PXM_LOW] | (uint32_t)load_u16(bytes + LAPIC_PXM_HIGH) << 8 |
			(uint32_t)bytes[LAPIC_PXM_HIGH + 2] << 24);
}

static void parse_x2apic(struct srat_parse *parse)
{
	const uint8_t *bytes = parse->walk.bytes;

	if (is_enabled(parse, X2APIC_BYTES, X2APIC_FLAGS))
		add_cpu(parse, load_u32(bytes + X2APIC_ID), load_u32(bytes + X2APIC_PXM));
}

static void parse_memory(struct srat_parse *parse)
{
	const uint8_t *bytes = parse->walk.bytes;
	struct srat_facts *facts = parse->facts;
	uint64_t base, length;
	uint32_t flags;

	if (!is_enabled(parse, MEMORY_BYTES, MEMORY_FLAGS))
		return;
	base = load_u64(bytes + MEMORY_BASE);
	length = load_u64(bytes + MEMORY_LENGTH);
	if (length > UINT64_MAX - base) {
		note(parse, "memory range wraps", length);
		return;
	}
	if (facts->memory_count == SRAT_MEMORY_MAX) {
		note(parse, "more memory ranges than fit", SRAT_MEMORY_MAX);
		return;
	}
	flags = load_u32(bytes + MEMORY_FLAGS);
	facts->memory[facts->memory_count++] = (struct srat_memory){
		.start = base,
		.end = base + length,
		.pxm = load_u32(bytes + MEMORY_PXM) & parse->pxm_mask,
		.hotplug = (flags & MEMORY_HOTPLUG) != 0,
		.nonvolatile = (flags & MEMORY_NONVOLATILE) != 0,
	};
}

bool srat_parse(const struct acpi_table *table, struct srat_facts *facts, struct anomaly_log *log)
{
	struct srat_parse parse = { .facts = facts };

	memset(facts, 0, sizeof(*facts));
	if (!table->bytes)
		return false;
	if (table->length < SRAT_FIXED_BYTES) {
		acpi_note(log, "SRAT", 4, "table shorter than its fixed part", table->length);
		return false;
	}
	parse.pxm_mask = table->bytes[TABLE_REVISION] <= 1 ? UINT8_MAX : UINT32_MAX;
	subtable_begin(&parse.walk, table, "SRAT", SUBTABLE_SHORT, SRAT_FIXED_BYTES, log);
	while (subtable_next(&parse.walk)) {
		if (parse.walk.type == SRAT_LAPIC)
			parse_lapic(&parse);
		else if (parse.walk.type == SRAT_MEMORY)
			parse_memory(&parse);
		else if (parse.walk.type == SRAT_X2APIC)
			parse_x2apic(&parse);
		else
			facts->other_entries++;
	}
	return true;
}
