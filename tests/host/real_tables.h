/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Files of the folder of real machines. */
#include <stdio.h>

#include "tests/host/acpi_build.h"
#include "tests/host/real_data.h"

enum { REAL_TABLE_BYTES = 1 << 20 };

static inline struct acpi_table load_file(const char *folder, const char *name)
{
	static uint8_t bytes[REAL_TABLE_BYTES];
	char path[1024];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/%s", real_data_folder(), folder, name);
	file = fopen(path, "rb");
	if (!file)
		fail_msg("cannot open %s", path);
	length = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	assert_in_range(length, ACPI_HEADER_BYTES, sizeof(bytes) - 1);
	return exact_copy(bytes, (uint32_t)length);
}

static inline FILE *open_text(const char *folder, const char *name)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s/%s", real_data_folder(), folder, name);
	return fopen(path, "r");
}

static inline void for_each_folder(void (*check)(const char *folder))
{
	DIR *folders = opendir(real_data_folder());
	const struct dirent *entry;

	assert_non_null(folders);
	while ((entry = readdir(folders)))
		if (entry->d_name[0] != '.' && !strchr(entry->d_name, '.'))
			check(entry->d_name);
	closedir(folders);
}
