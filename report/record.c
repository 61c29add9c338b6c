/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/record.h"

#include "lib/crc32.h"
#include "lib/format.h"
#include "lib/string.h"
#include "lib/text.h"

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

__attribute__((format(printf, 2, 3))) static bool append_format(struct record_stream *stream,
								const char *pattern, ...)
{
	char field[FIELD_MAX];
	size_t length;
	va_list list;

	va_start(list, pattern);
	length = format_list(field, sizeof(field), pattern, list);
	va_end(list);
	return length < sizeof(field) && append(stream, field, length);
}

void record_begin(struct record_stream *stream, const char *type)
{
	if (!stream->enabled)
		return;
	stream->length = 0;
	stream->truncated = !append_format(stream, "@{\"seq\":%llu,\"type\":\"%.32s\"",
					   (unsigned long long)stream->seq, type);
}

void record_u64(struct record_stream *stream, const char *name, uint64_t value)
{
	if (stream->enabled &&
	    !append_format(stream, ",\"%s\":%llu", name, (unsigned long long)value))
		stream->truncated = true;
}

void record_i64(struct record_stream *stream, const char *name, int64_t value)
{
	if (stream->enabled && !append_format(stream, ",\"%s\":%lld", name, (long long)value))
		stream->truncated = true;
}

void record_bool(struct record_stream *stream, const char *name, bool value)
{
	if (stream->enabled &&
	    !append_format(stream, ",\"%s\":%s", name, value ? "true" : "false"))
		stream->truncated = true;
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
		return string_length(format(to, 8, "\\u%04x", byte), 8);
	to[0] = (char)byte;
	return 1;
}

void record_text(struct record_stream *stream, const char *name, const char *text)
{
	char piece[8 + 1];
	size_t length;

	if (!stream->enabled)
		return;
	/* Opened only where the closing quote fits as well; it then takes the room kept for it. */
	if (!append_format(stream, ",\"%s\":\"\"", name)) {
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
	struct text line;

	if (!stream->enabled)
		return;
	line = text_in(stream->line + stream->length, RECORD_LINE_MAX - stream->length);
	text_add(&line, "%s}", stream->truncated ? TRUNCATED : "");
	text_add(&line, "#%08x\n",
		 crc32_update(0, stream->line + 1, stream->length + line.length - 1));
	stream->length += line.length;
	stream->sink->write(stream->sink->context, stream->line, stream->length);
	stream->seq++;
}
