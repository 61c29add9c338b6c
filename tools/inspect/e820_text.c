/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/e820_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/inspect/alloc.h"
#include "tools/inspect/e820_words.h"

/* Far above any log of one boot; /dev/zero has no end. */
enum { TEXT_MAX_BYTES = 64 << 20 };

enum form { FORM_PLAIN, FORM_DMESG, FORM_IOMEM };

/* A line is an entry, or to be passed over, or a fault with a reason. */
enum { LINE_ENTRY, LINE_PASSED, LINE_FIRST }; /* LINE_FIRST: what came before is another boot's */

struct map_line {
	int kind;
	const char *reason; /* NULL: none */
	struct boot_memory entry;
};

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* "start-end" at `text`, of which the end is exclusive or not: where it ends, or NULL. */
static const char *parse_range(const char *text, bool exclusive, struct boot_memory *entry,
			       const char **reason)
{
	uint64_t end;
	const char *at = e820_number(text, 16, UINT64_MAX, &entry->start);

	*reason = NULL;
	if (!at || *skip_blanks(at) != '-') {
		*reason = "no start address";
		return NULL;
	}
	at = e820_number(skip_blanks(skip_blanks(at) + 1), 16, UINT64_MAX, &end);
	if (!at)
		*reason = "no end address";
	else if (end < entry->start)
		*reason = "the end is below the start";
	else if (entry->start == 0 && end == UINT64_MAX && !exclusive)
		*reason = "all of the address space cannot be one entry";
	entry->length = end - entry->start + !exclusive;
	return *reason ? NULL : at;
}

const char *e820_text_entry(const char *line, struct boot_memory *entry)
{
	const char *reason;
	const char *at = parse_range(line, false, entry, &reason);

	if (at && !e820_word(skip_blanks(at), &entry->type))
		reason = "unknown memory type";
	return reason;
}

/* Cuts a comment and the blanks before it off. */
static void trim(char *text)
{
	size_t length = strcspn(text, "#");

	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	text[length] = '\0';
}

static struct map_line plain_line(char *text)
{
	struct map_line line = { .kind = LINE_PASSED };
	const char *at;

	trim(text);
	at = skip_blanks(text);
	if (*at == '\0')
		return line;
	line.kind = LINE_ENTRY;
	line.reason = e820_text_entry(at, &line.entry);
	return line;
}

/* What Linux puts before a line of the firmware's map, by where it had the map from. */
static const char *after_source(const char *text)
{
	static const char *const sources[] = { "BIOS-e820: ", "BIOS-e801: ", "BIOS-88: ", "Xen: " };

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		const char *found = strstr(text, sources[i]);
		const char *at = found ? skip_blanks(found + strlen(sources[i])) : NULL;

		/* Xen says other things, too. */
		if (at && (strncmp(at, "[mem ", 5) == 0 || strncmp(at, "[gap ", 5) == 0 ||
			   (isxdigit((unsigned char)*at) && strchr(at, '-'))))
			return at;
	}
	return NULL;
}

static const char *bracketed(const char *text, struct boot_memory *entry)
{
	const char *reason;
	const char *at = parse_range(skip_blanks(text + strlen("[mem ")), false, entry, &reason);

	if (!at)
		return reason;
	if (*at != ']')
		return "no bracket behind the end address";
	return e820_word(skip_blanks(at + 1), &entry->type) ? NULL : "unknown memory type";
}

/* Until Linux 3.4: the end is the first byte that no longer belongs to the range. */
static const char *unbracketed(const char *text, struct boot_memory *entry)
{
	const char *reason;
	const char *at = parse_range(text, true, entry, &reason);

	if (at && !e820_word(skip_blanks(at), &entry->type))
		reason = "unknown memory type";
	return reason;
}

static struct map_line dmesg_line(char *text)
{
	struct map_line line = { .kind = LINE_PASSED };
	const char *at = after_source(text);

	if (strstr(text, "BIOS-provided physical RAM map"))
		line.kind = LINE_FIRST;
	if (!at || strncmp(at, "[gap ", 5) == 0)
		return line;
	trim(text);
	line.kind = LINE_ENTRY;
	line.reason = *at == '[' ? bracketed(at, &line.entry) : unbracketed(at, &line.entry);
	return line;
}

/* "00100000-7fffffff : System RAM"; what is indented is a part of the line before. */
static bool is_iomem(const char *text)
{
	struct boot_memory entry;
	const char *reason;
	const char *at = parse_range(text, false, &entry, &reason);

	return at && strncmp(at, " : ", 3) == 0;
}

static struct map_line iomem_line(char *text)
{
	struct map_line line = { .kind = LINE_PASSED };
	const char *at;

	if (isspace((unsigned char)*text) || *text == '\0')
		return line;
	line.kind = LINE_ENTRY;
	at = parse_range(text, false, &line.entry, &line.reason);
	if (!at)
		return line;
	trim(text);
	if (strncmp(at, " : ", 3) != 0)
		line.reason = "no name behind the addresses";
	else if (!e820_word(at + 3, &line.entry.type))
		line.kind = LINE_PASSED;
	else if (line.entry.start == 0 && line.entry.length == 1)
		line.reason = "no addresses: only root sees them in /proc/iomem";
	return line;
}

static struct map_line (*const readers[])(char *text) = {
	[FORM_PLAIN] = plain_line,
	[FORM_DMESG] = dmesg_line,
	[FORM_IOMEM] = iomem_line,
};

/* All of `in`, a NUL behind it; the caller frees it. */
static char *read_all(FILE *in, size_t *length)
{
	size_t capacity = 1 << 16;
	char *text = resize_or_die(NULL, capacity);

	*length = 0;
	for (;;) {
		size_t got = fread(text + *length, 1, capacity - 1 - *length, in);

		*length += got;
		if (got == 0 || *length >= TEXT_MAX_BYTES)
			break;
		if (*length == capacity - 1) {
			capacity *= 2;
			text = resize_or_die(text, capacity);
		}
	}
	text[*length] = '\0';
	return text;
}

static char *next_line(char **rest)
{
	char *line = *rest, *end = line + strcspn(line, "\n");

	*rest = *end ? end + 1 : end;
	*end = '\0';
	return line;
}

static enum form form_of(const char *text)
{
	char start[64];
	const char *line = text;

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		snprintf(start, sizeof(start), "%.60s", line);
		if (is_iomem(start))
			return FORM_IOMEM;
		snprintf(start, sizeof(start), "%.10s", line);
		if (*skip_blanks(start) != '\0' && *skip_blanks(start) != '#')
			break;
	}
	return after_source(text) || strstr(text, "BIOS-provided physical RAM map") ? FORM_DMESG :
										       FORM_PLAIN;
}

static const char *take(const struct map_line *line, struct boot_memory *out, uint32_t capacity,
			uint32_t *count)
{
	if (line->reason)
		return line->reason;
	if (line->kind == LINE_FIRST)
		*count = 0;
	if (line->kind != LINE_ENTRY || line->entry.length == 0)
		return NULL;
	if (*count == capacity)
		return "there are more entries than can be held";
	out[(*count)++] = line->entry;
	return NULL;
}

bool e820_text_parse(FILE *in, struct boot_memory *out, uint32_t capacity, uint32_t *count,
		     char *error, size_t error_size)
{
	size_t length;
	char *text = read_all(in, &length), *rest = text;
	const char *reason = NULL;
	enum form form = form_of(text);
	unsigned long number = 0;

	*count = 0;
	while (!reason && *rest) {
		struct map_line line = readers[form](next_line(&rest));

		number++;
		reason = take(&line, out, capacity, count);
	}
	if (!reason && rest < text + length) {
		number++;
		reason = "no text";
	}
	if (reason)
		snprintf(error, error_size, "line %lu: %s", number, reason);
	else if (ferror(in) || length >= TEXT_MAX_BYTES)
		snprintf(error, error_size, length >= TEXT_MAX_BYTES ? "it is too long" :
								       "it cannot be read");
	free(text);
	return !reason && !ferror(in) && length < TEXT_MAX_BYTES;
}
