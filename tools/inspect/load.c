/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "tools/inspect/load.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/bytes.h"
#include "tools/inspect/alloc.h"
#include "tools/inspect/hexdump.h"

enum {
	HEAD_BYTES = 4096,        /* enough to tell what a file is */
	TEXT_MAX_BYTES = 64 << 20 /* acpidump's text is about five times its tables */
};

enum content { CONTENT_OTHER, CONTENT_EMPTY, CONTENT_TABLE, CONTENT_ROOT, CONTENT_TEXT };

struct contents {
	uint8_t *bytes;
	size_t length;
};

static bool is_text(const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!isprint(bytes[i]) && !isspace(bytes[i]))
			return false;
	}
	return true;
}

static bool is_signature(const uint8_t *bytes)
{
	for (int i = 0; i < 4; i++) {
		if (!isupper(bytes[i]) && !isdigit(bytes[i]) && bytes[i] != '_')
			return false;
	}
	return true;
}

/* The top byte of a length below 16 MiB is 0, which no text has in its eighth place. FACS and RSDP
 * have no table header; they are reached by pointers only, never through the root table. */
static enum content classify(const uint8_t *head, size_t length)
{
	if (length == 0)
		return CONTENT_EMPTY;
	if (length >= 8 && (memcmp(head, "RSD PTR ", 8) == 0 || memcmp(head, "FACS", 4) == 0))
		return CONTENT_ROOT;
	if (length >= 4 && is_signature(head) && !is_text(head, length < 36 ? length : 36))
		return CONTENT_TABLE;
	return hexdump_recognise((const char *)head, length) ? CONTENT_TEXT : CONTENT_OTHER;
}

/* Reads on until `limit` bytes are there or the file ends. Files in /sys do not tell their size. */
static bool read_until(int fd, struct contents *contents, size_t limit)
{
	size_t capacity = contents->length;

	while (contents->length < limit) {
		ssize_t got;

		if (contents->length == capacity) {
			capacity = capacity ? 2 * capacity : HEAD_BYTES;
			if (capacity > limit)
				capacity = limit;
			contents->bytes = resize_or_die(contents->bytes, capacity);
		}
		got = read(fd, contents->bytes + contents->length, capacity - contents->length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		contents->length += (size_t)got;
	}
	return true;
}

static char *printable_copy(const char *name)
{
	size_t length = strlen(name);
	char *copy = array_or_die(length + 1, 1);

	for (size_t i = 0; i < length; i++)
		copy[i] = isprint((unsigned char)name[i]) ? name[i] : '?';
	return copy;
}

static const char UNREADABLE[] = "file cannot be read, skipped (error number)";

/* An anomaly of a file that gave no table. */
static void note(struct table_folder *folder, const char *name, const char *reason, uint64_t value,
		 struct anomaly_log *log)
{
	uint32_t number = log->count;

	anomaly_add(log, "file", 0, reason, value);
	if (log->count == number)
		return;
	folder->skipped = resize_or_die(folder->skipped,
					(folder->skipped_count + 1) * sizeof(*folder->skipped));
	folder->skipped[folder->skipped_count] = printable_copy(name);
	folder->anomaly_file[number] = folder->skipped[folder->skipped_count++];
}

/* Takes over `bytes`. */
static void offer(struct table_folder *folder, const char *name, uint8_t *bytes, size_t length,
		  struct anomaly_log *log)
{
	struct loaded_table *table;
	uint32_t first = log->count;

	folder->loaded = resize_or_die(folder->loaded,
				       (folder->count + 1) * sizeof(*folder->loaded));
	table = &folder->loaded[folder->count++];
	*table = (struct loaded_table){ printable_copy(name), bytes, length };
	acpi_tables_offer(&folder->tables, bytes, length, log);
	for (uint32_t i = first; i < log->count; i++)
		folder->anomaly_file[i] = table->file;
}

static void offer_text(struct table_folder *folder, const char *name,
		       const struct contents *contents, struct anomaly_log *log)
{
	struct hexdump dump;
	uint8_t *bytes;
	size_t length;

	hexdump_begin(&dump, (const char *)contents->bytes, contents->length);
	while ((bytes = hexdump_next(&dump, &length)) != NULL) {
		if (classify(bytes, length) == CONTENT_TABLE)
			offer(folder, name, bytes, length, log);
		else
			free(bytes);
	}
	if (dump.broken)
		note(folder, name, "a table in this text breaks off: its offsets have a gap", 0,
		     log);
}

static void load_contents(struct table_folder *folder, const char *name, int fd,
			  struct anomaly_log *log)
{
	struct contents contents = { NULL, 0 };
	enum content content = CONTENT_OTHER;
	bool readable = read_until(fd, &contents, HEAD_BYTES);

	if (readable)
		content = classify(contents.bytes, contents.length);
	if (content == CONTENT_TABLE)
		readable = read_until(fd, &contents, ACPI_TABLE_MAX_BYTES);
	if (content == CONTENT_TEXT)
		readable = read_until(fd, &contents, TEXT_MAX_BYTES);
	if (!readable) {
		note(folder, name, UNREADABLE, (uint64_t)errno, log);
	} else if (content == CONTENT_TABLE) {
		offer(folder, name, contents.bytes, contents.length, log);
		return;
	} else if (content == CONTENT_TEXT) {
		offer_text(folder, name, &contents, log);
	} else if (content != CONTENT_ROOT) {
		error(0, 0, "%s: not an ACPI table, skipped", name);
	}
	free(contents.bytes);
}

/* O_NONBLOCK: a pipe that nobody writes to must not hang the program before it is recognised. */
static void load_entry(struct table_folder *folder, int directory, const char *name,
		       struct anomaly_log *log)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0)
		note(folder, name, UNREADABLE, (uint64_t)errno, log);
	else if (S_ISREG(status.st_mode))
		load_contents(folder, name, fd, log);
	else if (!S_ISDIR(status.st_mode))
		error(0, 0, "%s: not a file, skipped", name);
	if (fd >= 0)
		close(fd);
}

/* Bytes, not the locale: the order must be the same for everybody. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool load_folder(const char *path, struct table_folder *folder, struct anomaly_log *log)
{
	struct dirent **entries;
	int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int count = directory < 0 ? -1 : scandirat(directory, ".", &entries, NULL, by_bytes);

	if (count < 0)
		error(0, errno, "folder of tables %s", path);
	for (int i = 0; i < count; i++) {
		load_entry(folder, directory, entries[i]->d_name, log);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (directory >= 0)
		close(directory);
	return count >= 0;
}

bool load_tables(const char *path, struct table_folder *folder, struct anomaly_log *log)
{
	const char *slash = strrchr(path, '/');
	struct stat status;
	int fd;

	if (stat(path, &status) != 0 || S_ISDIR(status.st_mode))
		return load_folder(path, folder, log);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		error(0, errno, "tables %s", path);
		return false;
	}
	load_contents(folder, slash ? slash + 1 : path, fd, log);
	close(fd);
	return true;
}

void unload_folder(struct table_folder *folder)
{
	for (size_t i = 0; i < folder->count; i++) {
		free(folder->loaded[i].file);
		free(folder->loaded[i].bytes);
	}
	free(folder->loaded);
	for (size_t i = 0; i < folder->skipped_count; i++)
		free(folder->skipped[i]);
	free(folder->skipped);
	folder->skipped = NULL;
	folder->loaded = NULL;
	folder->count = folder->skipped_count = 0;
}

const char *load_file_of(const struct table_folder *folder, const struct acpi_table *table)
{
	for (size_t i = 0; i < folder->count; i++) {
		if (table->bytes && folder->loaded[i].bytes == table->bytes)
			return folder->loaded[i].file;
	}
	return NULL;
}

const char *load_file_of_anomaly(const struct table_folder *folder, const struct anomaly_log *log,
				 uint32_t number)
{
	const struct acpi_tables *tables = &folder->tables;
	const struct {
		const char *name;
		const struct acpi_table *table;
	} parsed[] = {
		{ "MADT", &tables->madt }, { "SRAT", &tables->srat },
		{ "SLIT", &tables->slit }, { "HMAT", &tables->hmat },
		{ "CEDT", &tables->cedt }, { "MCFG", &tables->mcfg },
	};

	for (size_t i = 0; i < sizeof(parsed) / sizeof(parsed[0]); i++) {
		if (!folder->anomaly_file[number] &&
		    strcmp(log->entries[number].table, parsed[i].name) == 0)
			return load_file_of(folder, parsed[i].table);
	}
	return folder->anomaly_file[number];
}
