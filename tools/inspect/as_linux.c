/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/as_linux.h"

#include <string.h>

/* Domains that distributions' kernels know: MAX_NUMNODES with CONFIG_NODES_SHIFT=10. */
enum { LINUX_DOMAINS = 1024, LOCAL = 10 };

/* Linux bears 1 MiB of RAM in no range. */
enum { COVER_SLACK_PAGES = 256 };

static bool has_anomaly(const struct anomaly_log *log, const char *table, const char *start)
{
	for (uint32_t i = 0; i < log->count; i++)
		if (strcmp(log->entries[i].table, table) == 0 &&
		    strncmp(log->entries[i].reason, start, strlen(start)) == 0)
			return true;
	return false;
}

static bool has_high_domain(const struct machine *machine)
{
	const struct srat_facts *srat = &machine->srat;

	for (uint32_t i = 0; i < srat->cpu_count; i++)
		if (srat->cpus[i].pxm >= LINUX_DOMAINS)
			return true;
	for (uint32_t i = 0; i < srat->memory_count; i++)
		if (srat->memory[i].pxm >= LINUX_DOMAINS)
			return true;
	return has_anomaly(&machine->log, "SRAT", "domain 0xffffffff");
}

static bool nodes_overlap(const struct srat_facts *srat)
{
	for (uint32_t i = 0; i < srat->memory_count; i++)
		for (uint32_t j = 0; j < i; j++)
			if (srat->memory[i].pxm != srat->memory[j].pxm &&
			    srat->memory[i].start < srat->memory[j].end &&
			    srat->memory[j].start < srat->memory[i].end)
				return true;
	return false;
}

static bool slit_is_refused(const struct slit_facts *slit)
{
	for (uint64_t i = 0; i < slit->localities; i++) {
		for (uint64_t j = 0; j < slit->localities; j++) {
			uint8_t distance = slit->entries[i * slit->localities + j];

			if (i == j ? distance != LOCAL : distance <= LOCAL)
				return true;
		}
	}
	return false;
}

uint32_t as_linux_list(const struct inspection *inspection, struct as_linux list[AS_LINUX_MAX])
{
	static const char *const summed[] = { "MADT", "SRAT", "SLIT", "HMAT", "CEDT" };
	const struct machine *machine = &inspection->machine;
	const struct topology *topology = &inspection->topology;
	bool numa = machine->has_srat && topology->numa;
	uint32_t count = 0;

	if (numa && has_high_domain(machine))
		list[count++] = (struct as_linux){ "SRAT",
			"dropped, everything is one node: a domain is above 1023" };
	if (numa && nodes_overlap(&machine->srat))
		list[count++] = (struct as_linux){ "SRAT",
			"dropped, everything is one node: ranges of two domains overlap" };
	if (numa && inspection->ram_source == RAM_FROM_E820 &&
	    topology->orphan_pages > COVER_SLACK_PAGES)
		list[count++] = (struct as_linux){ "SRAT",
			"dropped, everything is one node: over 1 MiB of RAM is in no range" };
	if (machine->has_slit && slit_is_refused(&machine->slit))
		list[count++] = (struct as_linux){ "SLIT",
			"dropped, distances are 10 and 20: the diagonal is not 10, or another "
			"distance is not above" };
	for (uint32_t i = 0; i < sizeof(summed) / sizeof(summed[0]); i++)
		if (has_anomaly(&machine->log, summed[i], "checksum wrong"))
			list[count++] = (struct as_linux){ summed[i],
				"used in spite of its wrong checksum, with a warning at most" };
	return count;
}
