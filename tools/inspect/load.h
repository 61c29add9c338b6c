/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* ACPI tables in whatever form people keep them: /sys/firmware/acpi/tables, what `acpidump -b`
 * leaves behind, the text of acpidump, each as a folder or as one file. Tables are known by their
 * signature. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"

struct loaded_table {
	char *file; /* name in the folder, control characters replaced */
	uint8_t *bytes;
	size_t length;
};

struct table_folder {
	struct loaded_table *loaded; /* everything that was offered to `tables` */
	size_t count;
	char **skipped;              /* names of files that gave an anomaly and no table */
	size_t skipped_count;
	struct acpi_tables tables;   /* pointing into `loaded` */
	const char *anomaly_file[ANOMALY_MAX]; /* of those noted while loading */
};

/* Reads the file `path`, or all files of the folder `path` in the order of their names, so that of
 * two tables with one signature the same one wins every time. What cannot be read is an anomaly;
 * what is not a table is named on stderr and skipped; folders in the folder are passed over. False,
 * with a message, when `path` cannot be read. */
bool load_tables(const char *path, struct table_folder *folder, struct anomaly_log *log);
void unload_folder(struct table_folder *folder);

/* File that `table` came from, or NULL. */
const char *load_file_of(const struct table_folder *folder, const struct acpi_table *table);

/* The file that entry `number` of `log` is about, or NULL: known for what was found while loading,
 * else the file of the table that the entry names. */
const char *load_file_of_anomaly(const struct table_folder *folder, const struct anomaly_log *log,
				 uint32_t number);
