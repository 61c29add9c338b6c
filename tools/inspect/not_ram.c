/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/not_ram.h"

#include "lib/page_units.h"
#include "mm/machine/cxl_nodes.h"
#include "tools/inspect/alloc.h"

static bool holds_ram(const struct inspection *inspection, uint64_t start, uint64_t end)
{
	const struct topology *topology = &inspection->topology;

	for (uint32_t i = 0; i < topology->ram_count; i++)
		if (topology->ram[i].start_pfn < end >> PAGE_SHIFT &&
		    start >> PAGE_SHIFT < topology->ram[i].end_pfn)
			return true;
	return false;
}

static const char *kind_of(const struct srat_memory *range)
{
	if (range->nonvolatile)
		return "non-volatile";
	if (range->specific_purpose)
		return "specific-purpose";
	return range->hotplug ? "hot-plug" : NULL;
}

struct not_ram *not_ram_list(const struct inspection *inspection, uint32_t *count)
{
	const struct machine *machine = &inspection->machine;
	const struct srat_facts *srat = &machine->srat;
	struct not_ram *list = array_or_die(SRAT_MEMORY_MAX + CEDT_WINDOW_MAX, sizeof(*list));

	*count = 0;
	for (uint32_t i = 0; machine->has_srat && i < srat->memory_count; i++) {
		const struct srat_memory *range = &srat->memory[i];

		if (kind_of(range) && range->start < range->end &&
		    !holds_ram(inspection, range->start, range->end))
			list[(*count)++] = (struct not_ram){ kind_of(range), range->start,
							     range->end, range->pxm };
	}
	for (uint32_t i = 0; machine->has_cedt && i < machine->cedt.window_count; i++) {
		const struct cedt_window *window = &machine->cedt.windows[i];

		if (!(machine->has_srat && cxl_window_in_srat(window, srat)) &&
		    !holds_ram(inspection, window->start, window->end))
			list[(*count)++] = (struct not_ram){ "cxl-window", window->start,
							     window->end, PXM_NONE };
	}
	return list;
}
