/* SPDX-License-Identifier: GPL-2.0-only */
#include "lib/format.h"

#include <stdbool.h>

#include "lib/minmax.h"
#include "lib/string.h"

__extension__ typedef unsigned __int128 u128;

struct output {
	char *to;
	size_t size;
	size_t length; /* of the whole text, written or not */
};

/* One conversion specification. */
struct conversion {
	bool left, zero;
	size_t width;
	bool has_precision;
	size_t precision;
	int length; /* sizeof of the integer argument */
};

static void put(struct output *out, char c)
{
	if (out->length + 1 < out->size)
		out->to[out->length] = c;
	out->length++;
}

static void put_text(struct output *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		put(out, text[i]);
}

/* Counts in full but loops no further than the buffer: a width may be absurd. */
static void put_repeated(struct output *out, char c, size_t count)
{
	size_t room = saturating_sub_u64(out->size, out->length);
	size_t writable = min_u64(count, room);

	for (size_t i = 0; i < writable; i++)
		put(out, c);
	out->length += count - writable;
}

static size_t padding(const struct conversion *conversion, size_t length)
{
	return saturating_sub_u64(conversion->width, length);
}

static void put_padded(struct output *out, const struct conversion *conversion, const char *text,
		       size_t length)
{
	size_t pad = padding(conversion, length);

	if (!conversion->left)
		put_repeated(out, ' ', pad);
	put_text(out, text, length);
	if (conversion->left)
		put_repeated(out, ' ', pad);
}

/* `prefix` is a sign or "0x": zeros go after it, blanks before it. */
static void put_number(struct output *out, const struct conversion *conversion, const char *prefix,
		       uint64_t value, unsigned base, const char *digits)
{
	char text[20]; /* 2^64 has 20 decimal digits */
	size_t first = sizeof(text), prefix_length = string_length(prefix, 2), length, pad;
	bool zeros = conversion->zero && !conversion->left;

	do {
		text[--first] = digits[value % base];
		value /= base;
	} while (value);
	length = sizeof(text) - first;
	pad = padding(conversion, length + prefix_length);
	if (!zeros && !conversion->left)
		put_repeated(out, ' ', pad);
	put_text(out, prefix, prefix_length);
	if (zeros)
		put_repeated(out, '0', pad);
	put_text(out, text + first, length);
	if (conversion->left)
		put_repeated(out, ' ', pad);
}

static const char *parse_number(const char *pattern, size_t *number)
{
	size_t value = 0;

	for (; *pattern >= '0' && *pattern <= '9'; pattern++)
		if (value < 100000000)
			value = value * 10 + (size_t)(*pattern - '0');
	*number = value;
	return pattern;
}

static const char *parse_flags(const char *pattern, struct conversion *conversion)
{
	for (;; pattern++) {
		if (*pattern == '-')
			conversion->left = true;
		else if (*pattern == '0')
			conversion->zero = true;
		else
			return pattern;
	}
}

static const char *parse_length(const char *pattern, struct conversion *conversion)
{
	conversion->length = sizeof(int);
	if (*pattern == 'z' || *pattern == 'l') {
		conversion->length = 8;
		return pattern + (pattern[0] == 'l' && pattern[1] == 'l' ? 2 : 1);
	}
	if (*pattern != 'h')
		return pattern;
	conversion->length = pattern[1] == 'h' ? 1 : 2;
	return pattern + (pattern[1] == 'h' ? 2 : 1);
}

/* A va_list inside a struct can be handed on by address on every ABI. */
struct format_arguments {
	va_list list;
};

static const char *parse_conversion(const char *pattern, struct conversion *conversion,
				    struct format_arguments *arguments)
{
	int star;

	*conversion = (struct conversion){0};
	pattern = parse_flags(pattern, conversion);
	if (*pattern == '*') {
		star = va_arg(arguments->list, int);
		conversion->left |= star < 0;
		conversion->width = star < 0 ? 0 - (size_t)star : (size_t)star;
		pattern++;
	} else {
		pattern = parse_number(pattern, &conversion->width);
	}
	if (*pattern == '.') {
		conversion->has_precision = true;
		if (*++pattern == '*') {
			star = va_arg(arguments->list, int);
			conversion->has_precision = star >= 0;
			conversion->precision = star < 0 ? 0 : (size_t)star;
			pattern++;
		} else {
			pattern = parse_number(pattern, &conversion->precision);
		}
	}
	return parse_length(pattern, conversion);
}

/* Arguments below int were promoted to it: they are cut back to the size that the pattern gives. */
static int64_t signed_argument(struct format_arguments *arguments, int length)
{
	int value;

	if (length == 8)
		return va_arg(arguments->list, long long);
	value = va_arg(arguments->list, int);
	return length == 1 ? (signed char)value : length == 2 ? (short)value : value;
}

static uint64_t unsigned_argument(struct format_arguments *arguments, int length)
{
	unsigned value;

	if (length == 8)
		return va_arg(arguments->list, unsigned long long);
	value = va_arg(arguments->list, unsigned);
	return length == 1 ? (unsigned char)value : length == 2 ? (unsigned short)value : value;
}

static void put_string(struct output *out, const struct conversion *conversion, const char *text)
{
	size_t limit = conversion->has_precision ? conversion->precision : SIZE_MAX;

	if (!text)
		text = "(null)";
	put_padded(out, conversion, text, string_length(text, limit));
}

static void put_signed(struct output *out, const struct conversion *conversion, int64_t value)
{
	uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	put_number(out, conversion, value < 0 ? "-" : "", magnitude, 10, "0123456789");
}

/* One argument by the conversion letter `which`; false when there is no such conversion. */
static bool put_conversion(struct output *out, const struct conversion *conversion, char which,
			   struct format_arguments *arguments)
{
	static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
	uint64_t value;
	char c;

	switch (which) {
	case 'd':
	case 'i':
		put_signed(out, conversion, signed_argument(arguments, conversion->length));
		return true;
	case 'u':
		value = unsigned_argument(arguments, conversion->length);
		put_number(out, conversion, "", value, 10, lower);
		return true;
	case 'x':
	case 'X':
		value = unsigned_argument(arguments, conversion->length);
		put_number(out, conversion, "", value, 16, which == 'x' ? lower : upper);
		return true;
	case 'p':
		value = (uintptr_t)va_arg(arguments->list, void *);
		put_number(out, conversion, "0x", value, 16, lower);
		return true;
	case 'c':
		c = (char)va_arg(arguments->list, int);
		put_padded(out, conversion, &c, 1);
		return true;
	case 's':
		put_string(out, conversion, va_arg(arguments->list, const char *));
		return true;
	case '%':
		put(out, '%');
		return true;
	default:
		return false;
	}
}

size_t format_list(char *to, size_t size, const char *pattern, va_list list)
{
	struct output out = { .to = to, .size = size };
	struct conversion conversion;
	struct format_arguments arguments;
	const char *next;

	va_copy(arguments.list, list);
	while (*pattern) {
		if (*pattern != '%') {
			put(&out, *pattern++);
			continue;
		}
		next = parse_conversion(pattern + 1, &conversion, &arguments);
		if (*next && put_conversion(&out, &conversion, *next, &arguments))
			pattern = next + 1;
		else
			put(&out, *pattern++); /* an unknown conversion is shown as it stands */
	}
	va_end(arguments.list);
	if (size)
		to[out.length < size ? out.length : size - 1] = '\0';
	return out.length;
}

char *format(char *to, size_t size, const char *pattern, ...)
{
	va_list list;

	va_start(list, pattern);
	format_list(to, size, pattern, list);
	va_end(list);
	return to;
}

char *format_ratio(char *to, uint64_t numerator, uint64_t denominator, unsigned decimals)
{
	uint64_t whole, rest;
	uint32_t fraction = 0, scale = 1;

	if (!denominator) {
		string_copy(to, "-", 32);
		return to;
	}
	if (decimals > 9)
		decimals = 9;
	whole = numerator / denominator;
	rest = numerator % denominator;
	/* Long division; ten times the rest needs up to 68 bits, and at most nine subtractions. */
	for (unsigned i = 0; i < decimals; i++) {
		u128 ten_rests = (u128)rest * 10;
		uint32_t digit = 0;

		for (; ten_rests >= denominator; digit++)
			ten_rests -= denominator;
		rest = (uint64_t)ten_rests;
		fraction = fraction * 10 + digit;
		scale *= 10;
	}
	if (rest >= denominator - rest && ++fraction == scale) {
		fraction = 0;
		whole++;
	}
	if (decimals)
		format(to, 32, "%llu.%0*u", (unsigned long long)whole, (int)decimals, fraction);
	else
		format(to, 32, "%llu", (unsigned long long)whole);
	return to;
}
