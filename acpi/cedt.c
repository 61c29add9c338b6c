/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/cedt.h"

#include "acpi/note.h"
#include "acpi/subtable.h"
#include "lib/bytes.h"
#include "lib/string.h"

enum { CEDT_WINDOW = 1 };

enum { /* CFMWS [CXL 3.1 9.18.1.3] */
	WINDOW_BASE = 8,          /* u64 */
	WINDOW_SIZE = 16,         /* u64 */
	WINDOW_RESTRICTIONS = 32, /* u16 */
	WINDOW_BYTES = 36,        /* and the targets */
};

enum { WINDOW_VOLATILE = 1u << 2, WINDOW_PERSISTENT = 1u << 3 };

static void parse_window(const struct subtable_walk *walk, struct cedt_facts *facts)
{
	uint64_t base, size;
	uint16_t restrictions;

	if (walk->length < WINDOW_BYTES) {
		acpi_note(walk->log, "CEDT", walk->offset, "record shorter than its type",
			  walk->length);
		return;
	}
	base = load_u64(walk->bytes + WINDOW_BASE);
	size = load_u64(walk->bytes + WINDOW_SIZE);
	restrictions = load_u16(walk->bytes + WINDOW_RESTRICTIONS);
	if (size == 0 || size > UINT64_MAX - base) {
		acpi_note(walk->log, "CEDT", walk->offset, "window empty or wrapping", size);
	} else if (facts->window_count == CEDT_WINDOW_MAX) {
		acpi_note(walk->log, "CEDT", walk->offset, "more windows than fit",
			  CEDT_WINDOW_MAX);
	} else {
		facts->windows[facts->window_count++] = (struct cedt_window){
			.start = base, .end = base + size,
			.nonvolatile = (restrictions & (WINDOW_VOLATILE | WINDOW_PERSISTENT)) ==
				       WINDOW_PERSISTENT,
			.offset = walk->offset,
		};
	}
}

bool cedt_parse(const struct acpi_table *table, struct cedt_facts *facts, struct anomaly_log *log)
{
	struct subtable_walk walk;

	memset(facts, 0, sizeof(*facts));
	if (!table->bytes)
		return false;
	subtable_begin(&walk, table, "CEDT", SUBTABLE_MIDDLE, ACPI_HEADER_BYTES, log);
	while (subtable_next(&walk))
		if (walk.type == CEDT_WINDOW)
			parse_window(&walk, facts);
	return true;
}
