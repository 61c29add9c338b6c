/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Records for programs (docs/records.md), one line each: '@', a JSON object, '#', the CRC-32 of the
 * object's bytes. A line is handed to the sink in one piece: no other output ever cuts it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/sink.h"
#include "lib/stats.h"

enum { RECORD_LINE_MAX = 5120 }; /* a whole command line, and the rest of `run` */

struct record_stream {
	const struct sink *sink;
	uint64_t seq; /* of the next record, and the number of records so far */
	bool enabled; /* false: everything here does nothing, and seq stays 0 */
	bool truncated;
	size_t length;
	char line[RECORD_LINE_MAX]; /* the record under way */
};

void record_stream_init(struct record_stream *stream, const struct sink *sink, bool enabled);

/* Starts a record; `type` and the names of fields are plain words that need no escapes. */
void record_begin(struct record_stream *stream, const char *type);

/* Add one field. A field that does not fit is left out, a text is cut; the record is then marked
 * with "truncated":true. */
void record_u64(struct record_stream *stream, const char *name, uint64_t value);
void record_i64(struct record_stream *stream, const char *name, int64_t value);
void record_bool(struct record_stream *stream, const char *name, bool value);
/* NUL-terminated bytes of any value; those outside printable ASCII become \u00XX. */
void record_text(struct record_stream *stream, const char *name, const char *text);

/* Closes the record and writes its line. */
void record_end(struct record_stream *stream);
