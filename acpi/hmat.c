/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/hmat.h"

#include "acpi/note.h"
#include "acpi/subtable.h"
#include "lib/bytes.h"
#include "lib/limits.h"
#include "lib/string.h"

enum { TABLE_REVISION = 8, HMAT_FIXED_BYTES = 40 }; /* [ACPI 6.5 table 5.141] */

enum { HMAT_PROXIMITY = 0, HMAT_LOCALITY = 1, HMAT_SIDE_CACHE = 2 };

enum { /* [ACPI 6.5 5.2.27.3] */
	PROXIMITY_FLAGS = 8,      /* u16 */
	PROXIMITY_INITIATOR = 12, /* u32 */
	PROXIMITY_MEMORY = 16,    /* u32 */
	PROXIMITY_BYTES = 40,     /* exactly */
	PROXIMITY_HAS_INITIATOR = 1u << 0,
	PROXIMITY_HAS_MEMORY = 1u << 1, /* revision 1 only [ACPI 6.2 5.2.27.3] */
};

enum { /* [ACPI 6.5 5.2.27.4] */
	LOCALITY_FLAGS = 8,       /* u8, bits 3:0 hierarchy */
	LOCALITY_DATA = 9,        /* u8 */
	LOCALITY_INITIATORS = 12, /* u32 */
	LOCALITY_TARGETS = 16,    /* u32 */
	LOCALITY_BASE = 24,       /* u64 */
	LOCALITY_LISTS = 32,      /* u32 each: initiators, targets; then the entries, u16 each */
	LOCALITY_HIERARCHY = 0xf,
	HIERARCHY_MEMORY = 0,
};

enum { CACHE_BYTES = 32 }; /* [ACPI 6.5 5.2.27.5], without what may follow */

struct hmat_parse {
	struct subtable_walk walk;
	struct hmat_facts *facts;
};

static void note(const struct hmat_parse *parse, const char *reason, uint64_t value)
{
	acpi_note(parse->walk.log, "HMAT", parse->walk.offset, reason, value);
}

static void parse_proximity(struct hmat_parse *parse)
{
	struct hmat_facts *facts = parse->facts;
	const uint8_t *bytes = parse->walk.bytes;
	uint16_t flags;

	if (parse->walk.length != PROXIMITY_BYTES) {
		note(parse, "proximity record is not 40 bytes", parse->walk.length);
		return;
	}
	flags = load_u16(bytes + PROXIMITY_FLAGS);
	if (facts->revision == 1 && !(flags & PROXIMITY_HAS_MEMORY)) {
		facts->other_entries++; /* names its memory by address only */
		return;
	}
	if (facts->proximity_count == HMAT_PROXIMITY_MAX) {
		note(parse, "more proximity records than fit", HMAT_PROXIMITY_MAX);
		return;
	}
	facts->proximity[facts->proximity_count++] = (struct hmat_proximity){
		.memory_pxm = load_u32(bytes + PROXIMITY_MEMORY),
		.initiator_pxm = flags & PROXIMITY_HAS_INITIATOR ?
			load_u32(bytes + PROXIMITY_INITIATOR) : PXM_NONE,
	};
}

/*
 *     0        32            32 + 4i        32 + 4i + 4t            length
 *     | header | i initiators | t targets    | i x t entries | slack  |
 *
 * Both lists are searched for every pair of nodes, so no more of them than there can be nodes; that
 * also keeps the products small. A reason why the structure cannot be used, or NULL.
 */
static const char *matrix_fault(const struct hmat_matrix *matrix, uint8_t data, uint64_t length)
{
	uint64_t i = matrix->initiators, t = matrix->targets;

	if (data >= HMAT_DATA_TYPES)
		return "unknown data type";
	if (i > NODE_MAX || t > NODE_MAX)
		return "more initiators or targets than fit";
	if (LOCALITY_LISTS + 4 * i + 4 * t + 2 * i * t > length)
		return "matrix runs past its record";
	if (i == 0 || t == 0 || matrix->base_unit == 0)
		return "matrix without content";
	return NULL;
}

static void parse_locality(struct hmat_parse *parse)
{
	struct hmat_facts *facts = parse->facts;
	const uint8_t *bytes = parse->walk.bytes;
	struct hmat_matrix matrix;
	const char *fault;

	if (parse->walk.length < LOCALITY_LISTS) {
		note(parse, "record shorter than its type", parse->walk.length);
		return;
	}
	if ((bytes[LOCALITY_FLAGS] & LOCALITY_HIERARCHY) != HIERARCHY_MEMORY) {
		facts->other_entries++; /* of a side cache */
		return;
	}
	matrix = (struct hmat_matrix){
		.base_unit = load_u64(bytes + LOCALITY_BASE),
		.initiators = load_u32(bytes + LOCALITY_INITIATORS),
		.targets = load_u32(bytes + LOCALITY_TARGETS),
	};
	fault = matrix_fault(&matrix, bytes[LOCALITY_DATA], parse->walk.length);
	if (!fault && facts->matrix_count == HMAT_MATRIX_MAX)
		fault = "more matrices than fit";
	if (fault) {
		note(parse, fault, parse->walk.length);
		return;
	}
	matrix.data = (enum hmat_data)bytes[LOCALITY_DATA];
	matrix.initiator_pxms = bytes + LOCALITY_LISTS;
	matrix.target_pxms = matrix.initiator_pxms + 4 * matrix.initiators;
	matrix.entries = matrix.target_pxms + 4 * matrix.targets;
	facts->matrices[facts->matrix_count++] = matrix;
}

/* What a side cache is like has no bearing on the memmap. */
static void parse_cache(struct hmat_parse *parse)
{
	if (parse->walk.length < CACHE_BYTES)
		note(parse, "record shorter than its type", parse->walk.length);
	else
		parse->facts->other_entries++;
}

bool hmat_parse(const struct acpi_table *table, struct hmat_facts *facts, struct anomaly_log *log)
{
	struct hmat_parse parse = { .facts = facts };

	memset(facts, 0, sizeof(*facts));
	if (!table->bytes)
		return false;
	if (table->length < HMAT_FIXED_BYTES) {
		acpi_note(log, "HMAT", 4, "table shorter than its fixed part", table->length);
		return false;
	}
	if (table->bytes[TABLE_REVISION] == 0) { /* the units are anybody's guess */
		acpi_note(log, "HMAT", TABLE_REVISION, "revision 0 ignored", 0);
		return false;
	}
	facts->revision = table->bytes[TABLE_REVISION] == 1 ? 1 : 2;
	subtable_begin(&parse.walk, table, "HMAT", SUBTABLE_LONG, HMAT_FIXED_BYTES, log);
	while (subtable_next(&parse.walk)) {
		if (parse.walk.type == HMAT_PROXIMITY)
			parse_proximity(&parse);
		else if (parse.walk.type == HMAT_LOCALITY)
			parse_locality(&parse);
		else if (parse.walk.type == HMAT_SIDE_CACHE)
			parse_cache(&parse);
		else
			facts->other_entries++;
	}
	return true;
}
