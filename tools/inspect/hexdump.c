/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "tools/inspect/hexdump.h"

#include <string.h>

#include "tools/inspect/alloc.h"

struct line {
	const char *text;
	size_t length;
};

static struct line next_line(struct hexdump *dump)
{
	size_t left = (size_t)(dump->end - dump->next);
	const char *newline = memchr(dump->next, '\n', left);
	struct line line = { dump->next, newline ? (size_t)(newline - dump->next) : left };

	dump->next += line.length + (newline ? 1 : 0);
	return line;
}

static bool is_heading(struct line line)
{
	return line.length > 8 && line.text[0] > ' ' && memmem(line.text, line.length, " @ 0x", 5);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The offset before the colon; `*used` is what stands before the first byte. */
static bool read_offset(struct line line, size_t *offset, size_t *used)
{
	size_t at = 0;

	*offset = 0;
	while (at < line.length && (line.text[at] == ' ' || line.text[at] == '\t'))
		at++;
	for (; at < line.length && hex_digit(line.text[at]) >= 0 && *offset < SIZE_MAX >> 8; at++)
		*offset = *offset << 4 | (size_t)hex_digit(line.text[at]);
	*used = at + 1;
	return at > 0 && at < line.length && line.text[at] == ':';
}

/* Bytes stand one space apart; two spaces begin the column of characters. */
static size_t read_bytes(struct line line, size_t at, uint8_t bytes[16])
{
	size_t count = 0;

	while (count < 16 && at + 2 < line.length && line.text[at] == ' ') {
		int high = hex_digit(line.text[at + 1]), low = hex_digit(line.text[at + 2]);

		if (high < 0 || low < 0)
			break;
		bytes[count++] = (uint8_t)(high << 4 | low);
		at += 3;
	}
	return count;
}

bool hexdump_recognise(const char *text, size_t length)
{
	struct hexdump dump;

	hexdump_begin(&dump, text, length);
	while (dump.next < dump.end) {
		if (is_heading(next_line(&dump)))
			return true;
	}
	return false;
}

void hexdump_begin(struct hexdump *dump, const char *text, size_t length)
{
	*dump = (struct hexdump){ .next = text, .end = text + length };
}

/* Appends one line of bytes; false at the first line that is not the table's next. */
static bool append_line(struct hexdump *dump, struct line line, uint8_t **bytes, size_t *length)
{
	size_t offset, used;

	if (!read_offset(line, &offset, &used))
		return false;
	if (offset != *length) {
		dump->broken = true;
		return false;
	}
	*bytes = resize_or_die(*bytes, *length + 16);
	*length += read_bytes(line, used, *bytes + *length);
	return true;
}

uint8_t *hexdump_next(struct hexdump *dump, size_t *length)
{
	uint8_t *bytes = NULL;

	*length = 0;
	while (dump->next < dump->end && *length == 0) {
		const char *before;

		while (dump->next < dump->end && !is_heading(next_line(dump)))
			;
		do
			before = dump->next;
		while (dump->next < dump->end &&
		       append_line(dump, next_line(dump), &bytes, length));
		dump->next = before; /* may be the next heading */
	}
	return bytes;
}
