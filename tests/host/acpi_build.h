/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Tables for tests: built field by field, handed out in memory of exactly their size, so that ASan
 * sees a read of one byte too many. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <cmocka.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"

struct build {
	uint8_t *bytes;
	uint32_t length, capacity;
};

static inline void build_bytes(struct build *b, const void *bytes, uint32_t length)
{
	if (length == 0)
		return;
	if (b->length + length > b->capacity) {
		b->capacity = 2 * (b->length + length);
		b->bytes = realloc(b->bytes, b->capacity);
		assert_non_null(b->bytes);
	}
	memcpy(b->bytes + b->length, bytes, length);
	b->length += length;
}

/* Little-endian, `width` bytes. */
static inline void build_int(struct build *b, uint64_t value, unsigned width)
{
	for (unsigned i = 0; i < width; i++) {
		uint8_t byte = (uint8_t)(value >> 8 * i);

		build_bytes(b, &byte, 1);
	}
}

static inline void build_zeros(struct build *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		build_int(b, 0, 1);
}

/* A record of the MADT or SRAT: one byte of type, one of length, and what means nothing. */
static inline void build_record(struct build *b, uint8_t type, uint8_t length)
{
	build_int(b, type, 1);
	build_int(b, length, 1);
	for (uint32_t i = 2; i < length; i++)
		build_int(b, 0xff, 1);
}

static inline void build_set(struct build *b, uint32_t offset, uint64_t value, unsigned width)
{
	assert_true(offset + width <= b->length);
	for (unsigned i = 0; i < width; i++)
		b->bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

static inline void build_header(struct build *b, const char *signature, uint8_t revision)
{
	*b = (struct build){ 0 };
	build_bytes(b, signature, 4);
	build_int(b, 0, 4); /* length, by build_close */
	build_int(b, revision, 1);
	build_int(b, 0, 1); /* checksum, by build_close */
	build_bytes(b, "TESTERTESTTABL", 14);
	build_zeros(b, 12);
}

static inline void build_checksum(uint8_t *bytes, uint32_t length, uint32_t at)
{
	uint8_t sum = 0;

	bytes[at] = 0;
	for (uint32_t i = 0; i < length; i++)
		sum = (uint8_t)(sum + bytes[i]);
	bytes[at] = (uint8_t)-sum;
}

static inline void build_close(struct build *b)
{
	build_set(b, 4, b->length, 4);
	build_checksum(b->bytes, b->length, 9);
}

static inline void build_free(struct build *b)
{
	free(b->bytes);
	*b = (struct build){ 0 };
}

/* A copy in a block of exactly `length` bytes, at the block's start. */
static inline struct acpi_table exact_copy(const uint8_t *bytes, uint32_t length)
{
	uint8_t *copy = malloc(length);

	assert_non_null(copy);
	memcpy(copy, bytes, length);
	return (struct acpi_table){ .bytes = copy, .length = length };
}

/* The table as it is built so far, likewise. */
static inline struct acpi_table build_exact(struct build *b)
{
	struct acpi_table table = exact_copy(b->bytes, b->length);

	build_free(b);
	return table;
}

static inline void exact_free(struct acpi_table *table)
{
	free((void *)(uintptr_t)table->bytes);
	*table = (struct acpi_table){ 0 };
}

static inline uint32_t count_anomalies(const struct anomaly_log *log, const char *table,
				       const char *reason)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < log->count; i++)
		count += strcmp(log->entries[i].table, table) == 0 &&
			 strcmp(log->entries[i].reason, reason) == 0;
	return count;
}

static inline bool has_anomaly(const struct anomaly_log *log, const char *table, uint64_t offset,
			       const char *reason)
{
	for (uint32_t i = 0; i < log->count; i++)
		if (strcmp(log->entries[i].table, table) == 0 &&
		    strcmp(log->entries[i].reason, reason) == 0 && log->entries[i].offset == offset)
			return true;
	return false;
}
