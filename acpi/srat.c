/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/srat.h"

#include "acpi/note.h"
#include "acpi/subtable.h"
#include "lib/bytes.h"
#include "lib/string.h"

enum { TABLE_REVISION = 8, SRAT_FIXED_BYTES = 48 }; /* [ACPI 6.5 table 5.58] */

enum { SRAT_LAPIC = 0, SRAT_MEMORY = 1, SRAT_X2APIC = 2, SRAT_INITIATOR = 5, SRAT_PORT = 6 };

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

enum { /* [ACPI 6.5 5.2.16.6, 5.2.16.7] */
	DEVICE_PXM = 4,      /* u32 */
	DEVICE_FLAGS = 24,   /* u32 */
	DEVICE_BYTES = 32,
};

enum {
	FLAG_ENABLED = 1u << 0,
	MEMORY_HOTPLUG = 1u << 1,
	MEMORY_NONVOLATILE = 1u << 2,
	MEMORY_SPECIFIC = 1u << 3, /* [ACPI 6.6 5.2.16.2] */
};

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

/* Firmware gives PXM_NONE to what has no domain, absent CPUs above all. */
static bool has_domain(const struct srat_parse *parse, uint32_t pxm)
{
	if (pxm == PXM_NONE)
		note(parse, "domain 0xffffffff is none: entry ignored", 0);
	return pxm != PXM_NONE;
}

static void add_cpu(struct srat_parse *parse, uint32_t apic_id, uint32_t pxm)
{
	struct srat_facts *facts = parse->facts;

	pxm &= parse->pxm_mask;
	if (!has_domain(parse, pxm))
		return;
	if (facts->cpu_count == CPU_MAX) {
		note(parse, "more processors than fit", CPU_MAX);
		return;
	}
	facts->cpus[facts->cpu_count++] = (struct srat_cpu){
		.apic_id = apic_id,
		.pxm = pxm,
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

static void parse_device(struct srat_parse *parse, uint32_t *pxms, uint32_t *count)
{
	uint32_t pxm;

	if (!is_enabled(parse, DEVICE_BYTES, DEVICE_FLAGS))
		return;
	pxm = load_u32(parse->walk.bytes + DEVICE_PXM);
	if (!has_domain(parse, pxm))
		return;
	if (*count == SRAT_DEVICE_MAX)
		note(parse, "more generic initiators or ports than fit", SRAT_DEVICE_MAX);
	else
		pxms[(*count)++] = pxm;
}

static void parse_memory(struct srat_parse *parse)
{
	const uint8_t *bytes = parse->walk.bytes;
	struct srat_facts *facts = parse->facts;
	uint64_t base, length;
	uint32_t flags, pxm;

	if (!is_enabled(parse, MEMORY_BYTES, MEMORY_FLAGS))
		return;
	pxm = load_u32(bytes + MEMORY_PXM) & parse->pxm_mask;
	if (!has_domain(parse, pxm))
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
		.pxm = pxm,
		.hotplug = (flags & MEMORY_HOTPLUG) != 0,
		.nonvolatile = (flags & MEMORY_NONVOLATILE) != 0,
		.specific_purpose = (flags & MEMORY_SPECIFIC) != 0,
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
		else if (parse.walk.type == SRAT_INITIATOR)
			parse_device(&parse, facts->initiators, &facts->initiator_count);
		else if (parse.walk.type == SRAT_PORT)
			parse_device(&parse, facts->ports, &facts->port_count);
		else
			facts->other_entries++;
	}
	return true;
}
