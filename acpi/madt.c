/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/madt.h"

#include "acpi/note.h"
#include "acpi/subtable.h"
#include "lib/bytes.h"
#include "lib/search.h"
#include "lib/string.h"

enum { MADT_LAPIC_ADDRESS = 36, MADT_FIXED_BYTES = 44 }; /* [ACPI 6.5 table 5.19] */

enum { MADT_LAPIC = 0, MADT_LAPIC_OVERRIDE = 5, MADT_X2APIC = 9 };

enum { /* [ACPI 6.5 5.2.12.2] */
	LAPIC_ID = 3,    /* u8 */
	LAPIC_FLAGS = 4, /* u32 */
	LAPIC_BYTES = 8,
	LAPIC_ID_NONE = 0xff,
};

enum { /* [ACPI 6.5 5.2.12.12] */
	X2APIC_ID = 4,    /* u32 */
	X2APIC_FLAGS = 8, /* u32 */
	X2APIC_BYTES = 16,
};
#define X2APIC_ID_NONE UINT32_MAX

enum { OVERRIDE_ADDRESS = 4, OVERRIDE_BYTES = 12 }; /* [ACPI 6.5 5.2.12.8] */

enum { FLAG_ENABLED = 1u << 0 };

struct madt_parse {
	struct subtable_walk walk;
	struct madt_facts *facts;
};

static void note(const struct madt_parse *parse, const char *reason, uint64_t value)
{
	acpi_note(parse->walk.log, "MADT", parse->walk.offset, reason, value);
}

static bool is_long_enough(const struct madt_parse *parse, uint64_t need_bytes)
{
	if (parse->walk.length >= need_bytes)
		return true;
	note(parse, "record shorter than its type", parse->walk.length);
	return false;
}

/* The position in by_id of the first id that is not below `apic_id`. */
static uint32_t lower_bound(const struct madt_facts *facts, uint32_t apic_id)
{
	return search_first(i, facts->cpu_count, facts->apic_ids[facts->by_id[i]] >= apic_id);
}

static void add_cpu(struct madt_parse *parse, uint32_t apic_id)
{
	struct madt_facts *facts = parse->facts;
	uint32_t at = lower_bound(facts, apic_id);

	if (at < facts->cpu_count && facts->apic_ids[facts->by_id[at]] == apic_id) {
		facts->duplicate++;
		note(parse, "processor listed twice", apic_id);
		return;
	}
	if (facts->cpu_count == CPU_MAX) {
		note(parse, "more processors than fit", apic_id);
		return;
	}
	memmove(&facts->by_id[at + 1], &facts->by_id[at],
		(facts->cpu_count - at) * sizeof(facts->by_id[0]));
	facts->by_id[at] = (uint16_t)facts->cpu_count;
	facts->apic_ids[facts->cpu_count++] = apic_id;
}

static void parse_lapic(struct madt_parse *parse)
{
	const uint8_t *bytes = parse->walk.bytes;

	parse->facts->lapic_entries++;
	if (!is_long_enough(parse, LAPIC_BYTES))
		return;
	if ((load_u32(bytes + LAPIC_FLAGS) & FLAG_ENABLED) && bytes[LAPIC_ID] != LAPIC_ID_NONE)
		add_cpu(parse, bytes[LAPIC_ID]);
	else
		parse->facts->disabled++;
}

static void parse_x2apic(struct madt_parse *parse)
{
	const uint8_t *bytes = parse->walk.bytes;
	uint32_t apic_id;

	parse->facts->x2apic_entries++;
	if (!is_long_enough(parse, X2APIC_BYTES))
		return;
	apic_id = load_u32(bytes + X2APIC_ID);
	if ((load_u32(bytes + X2APIC_FLAGS) & FLAG_ENABLED) && apic_id != X2APIC_ID_NONE)
		add_cpu(parse, apic_id);
	else
		parse->facts->disabled++;
}

static void parse_other(struct madt_parse *parse)
{
	parse->facts->other_entries++;
	if (parse->walk.type == MADT_LAPIC_OVERRIDE && is_long_enough(parse, OVERRIDE_BYTES))
		parse->facts->lapic_address = load_u64(parse->walk.bytes + OVERRIDE_ADDRESS);
}

bool madt_parse(const struct acpi_table *table, struct madt_facts *facts, struct anomaly_log *log)
{
	struct madt_parse parse = { .facts = facts };

	memset(facts, 0, sizeof(*facts));
	if (!table->bytes)
		return false;
	if (table->length < MADT_FIXED_BYTES) {
		acpi_note(log, "MADT", 4, "table shorter than its fixed part", table->length);
		return false;
	}
	facts->lapic_address = load_u32(table->bytes + MADT_LAPIC_ADDRESS);
	subtable_begin(&parse.walk, table, "MADT", SUBTABLE_SHORT, MADT_FIXED_BYTES, log);
	while (subtable_next(&parse.walk)) {
		if (parse.walk.type == MADT_LAPIC)
			parse_lapic(&parse);
		else if (parse.walk.type == MADT_X2APIC)
			parse_x2apic(&parse);
		else
			parse_other(&parse);
	}
	return true;
}
