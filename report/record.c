/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/record.h"

#include "lib/crc32.h"
#include "lib/format.h"
#include "lib/string.h"

#define TRUNCATED ",\"truncated\":true"

/* What must still fit behind the last field: the mark, the closing brace, '#', eight digits, '\n',
 * and the NUL that format() writes. */
enum { TAIL = sizeof(TRUNCATED) - 1 + 1 + 1 + 8 + 1 + 1 };

void record_stream_init(struct record_stream *stream, const struct sink *sink, bool enabled)
{
	stream->sink = sink;
	stream->seq = 0;
	stream->enabled = enabled;
	stream->truncated = false;
	stream->length = 0;
}

/* Appends all of `text` or, when it does not fit, nothing. */
static bool append(struct record_stream *stream, const char *text, size_t length)
{
	if (length > RECORD_LINE_MAX - TAIL - stream->length)
		return false;
	memcpy(stream->line + stream->length, text, length);
	stream->length += length;
	return true;
}

/* Room for the longest name, its punctuation, and a 64-bit number. */
enum { FIELD_MAX = 80 };

static void append_field(struct record_stream *stream, const char *field, size_t length)
{
	if (length >= FIELD_MAX || !append(stream, field, length))
		stream->truncated = true;
}

void record_begin(struct record_stream *stream, const char *type)
{
	if (!stream->enabled)
		return;
	stream->truncated = false;
	stream->length = format(stream->line, RECORD_LINE_MAX - TAIL,
				"@{\"seq\":%llu,\"type\":\"%.32s\"",
				(unsigned long long)stream->seq, type);
}

void record_u64(struct record_stream *stream, const char *name, uint64_t value)
{
	char field[FIELD_MAX];

	if (stream->enabled)
		append_field(stream, field, format(field, sizeof(field), ",\"%s\":%llu", name,
						   (unsigned long long)value));
}

void record_i64(struct record_stream *stream, const char *name, int64_t value)
{
	char field[FIELD_MAX];

	if (stream->enabled)
		append_field(stream, field,
			     format(field, sizeof(field), ",\"%s\":%lld", name, (long long)value));
}

void record_bool(struct record_stream *stream, const char *name, bool value)
{
	char field[FIELD_MAX];

	if (stream->enabled)
		append_field(stream, field, format(field, sizeof(field), ",\"%s\":%s", name,
						   value ? "true" : "false"));
}

/* One byte as it stands inside a JSON string [RFC 8259 7]; returns its length. Bytes above ASCII
 * are no text in any known encoding: they are kept by value. */
static size_t escape(char to[8], uint8_t byte)
{
	if (byte == '"' || byte == '\\') {
		to[0] = '\\';
		to[1] = (char)byte;
		return 2;
	}
	if (byte < 0x20 || byte > 0x7e)
		return format(to, 8, "\\u%04x", byte);
	to[0] = (char)byte;
	return 1;
}

void record_text(struct record_stream *stream, const char *name, const char *text)
{
	char piece[FIELD_MAX];
	size_t length;

	if (!stream->enabled)
		return;
	/* Opened only where the closing quote fits as well; it then takes the room kept for it. */
	length = format(piece, sizeof(piece), ",\"%s\":\"\"", name);
	if (length >= sizeof(piece) || !append(stream, piece, length)) {
		stream->truncated = true;
		return;
	}
	for (; *text; text++) {
		stream->length--;
		length = escape(piece, (uint8_t)*text);
		piece[length] = '"';
		if (!append(stream, piece, length + 1)) {
			stream->length++;
			stream->truncated = true;
			return;
		}
	}
}

void record_end(struct record_stream *stream)
{
	uint32_t crc;

	if (!stream->enabled)
		return;
	stream->length += format(stream->line + stream->length, RECORD_LINE_MAX - stream->length,
				 "%s}", stream->truncated ? TRUNCATED : "");
	crc = crc32_update(0, stream->line + 1, stream->length - 1);
	stream->length += format(stream->line + stream->length, RECORD_LINE_MAX - stream->length,
				 "#%08x\n", crc);
	stream->sink->write(stream->sink->context, stream->line, stream->length);
	stream->seq++;
}
