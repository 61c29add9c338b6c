/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Where the tables and maps of real machines lie: $MEMMAP_LAB_DATA, or beside the repository. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline const char *real_data_folder(void)
{
	const char *folder = getenv("MEMMAP_LAB_DATA");

	return folder ? folder : "../shared/data";
}

/* Says so when the folder is missing: the test is then skipped. */
static inline bool real_data_missing(void)
{
	DIR *folder = opendir(real_data_folder());

	if (folder) {
		closedir(folder);
		return false;
	}
	printf("skipped: no tables of real machines in %s (MEMMAP_LAB_DATA)\n", real_data_folder());
	return true;
}
