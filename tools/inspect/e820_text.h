/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * A memory map as text, for host programs. One entry per line, `start-end type`, both addresses in
 * hexadecimal, the end inclusive, in any order; '#' begins a comment. Types are the words that
 * Linux prints ("usable", "reserved", "ACPI data", "ACPI NVS", "unusable", "soft reserved",
 * "persistent (type N)", "type N") or a plain e820 number.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "boot/boot_info.h"

/* Reads all of `in` into `out`, which holds `capacity` entries, and sets `count`. False at the
 * first line that is not understood or does not fit; `error` then says which and why, in one
 * clause. */
bool e820_text_parse(FILE *in, struct boot_memory *out, uint32_t capacity, uint32_t *count,
		     char *error, size_t error_size);
