/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "tools/inspect/e820_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/inspect/e820_text.h"

enum { VALUE_BYTES = 64, LINE_BYTES = 3 * VALUE_BYTES + 8 };

/* The first line of a file. False when it cannot be read or is longer. */
static bool read_value(int folder, const char *name, char value[VALUE_BYTES])
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t got = fd < 0 ? -1 : read(fd, value, VALUE_BYTES - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return false;
	value[got] = '\0';
	value[strcspn(value, "\n")] = '\0';
	return (size_t)got < VALUE_BYTES - 1;
}

/* The reason why folder `name` is no entry, or NULL. */
static const char *read_entry(int parent, const char *name, struct boot_memory *entry)
{
	char start[VALUE_BYTES], end[VALUE_BYTES], type[VALUE_BYTES], line[LINE_BYTES];
	int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool read = folder >= 0 && read_value(folder, "start", start) &&
		    read_value(folder, "end", end) && read_value(folder, "type", type);

	if (folder >= 0)
		close(folder);
	if (!read)
		return "start, end and type cannot be read";
	snprintf(line, sizeof(line), "%s-%s %s", start, end, type);
	return e820_text_entry(line, entry);
}

static int is_number(const struct dirent *entry)
{
	return entry->d_name[strspn(entry->d_name, "0123456789")] == '\0';
}

bool e820_folder_parse(const char *path, struct boot_memory *out, uint32_t capacity,
		       uint32_t *count, char *error, size_t error_size)
{
	struct dirent **entries;
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int found = folder < 0 ? -1 : scandirat(folder, ".", &entries, is_number, versionsort);
	const char *reason = NULL;

	*count = 0;
	for (int i = 0; i < found && !reason; i++) {
		if (*count == capacity)
			reason = "there are more entries than can be held";
		else
			reason = read_entry(folder, entries[i]->d_name, &out[*count]);
		if (reason)
			snprintf(error, error_size, "entry %.20s: %s", entries[i]->d_name, reason);
		else
			++*count;
	}
	for (int i = 0; i < found; i++)
		free(entries[i]);
	if (found >= 0)
		free(entries);
	if (folder >= 0)
		close(folder);
	if (found <= 0)
		snprintf(error, error_size, "a folder without entries of a memory map");
	return found > 0 && !reason;
}
