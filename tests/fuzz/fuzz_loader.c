/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Boot information of any bytes, Multiboot2 or PVH by the first bit, and what follows from it: the
 * memory map, the RSDP and the tables it leads to, the command line.
 */
#include <stdlib.h>
#include <string.h>

#include "acpi/rsdp.h"
#include "acpi/tables.h"
#include "boot/boot_info.h"
#include "experiments/table.h"
#include "lab/options.h"
#include "boot/multiboot2.h"
#include "boot/pvh.h"
#include "mm/machine/memory_map.h"

enum { ADDRESS = 0x1000 };

/* The only readable memory. */
struct memory {
	const uint8_t *bytes;
	uint64_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const void *read_memory(void *context, uint64_t address, uint64_t length)
{
	const struct memory *memory = context;

	if (address < ADDRESS || address - ADDRESS > memory->size ||
	    length > memory->size - (address - ADDRESS))
		return NULL;
	return memory->bytes + (address - ADDRESS);
}

static void follow(const struct boot_info *info, const struct phys_reader *reader,
		   struct anomaly_log *log)
{
	static struct memory_map map;
	static struct memory_map_scratch scratch;
	struct acpi_tables tables;
	struct options options;
	uint32_t length = acpi_rsdp_check(info->rsdp, info->rsdp_length);

	options_parse(info->cmdline, info->cmdline_cut, &experiment_words, &options);
	memory_map_build(&map, info->memory, info->memory_count, &scratch, log);
	acpi_rsdp_search(reader, 0);
	if (length)
		acpi_tables_load(&tables, reader, info->rsdp, length, log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct boot_info info;
	static struct anomaly_log log;
	struct memory memory = { .size = size ? size - 1 : 0 };
	struct phys_reader reader = { read_memory, &memory };
	uint8_t *copy = malloc(memory.size);
	bool read;

	if (memory.size)
		memcpy(copy, data + 1, memory.size);
	memory.bytes = copy;
	memset(&log, 0, sizeof(log));
	if (size && data[0] & 1)
		read = boot_info_from_pvh(&info, &reader, ADDRESS, &log);
	else
		read = boot_info_from_multiboot2(&info, &reader, ADDRESS, &log);
	if (read)
		follow(&info, &reader, &log);
	free(copy);
	return 0;
}
