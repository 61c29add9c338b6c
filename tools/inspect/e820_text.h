/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * A memory map as text, for host programs, in the forms that people have. The form is found out:
 *
 *   dmesg         whole or in part, with whatever a logger puts before its lines: those of the
 *                 firmware's map count ("BIOS-e820: [mem 0x0-0x9ffff] usable", before Linux 3.5
 *                 "BIOS-e820: 0000000000000000 - 00000000000a0000 (usable)" with the end
 *                 exclusive), of several boots the last one's
 *   /proc/iomem   its lines that are not indented; what is no memory is passed over
 *   plain         "start-end type" on every line, in hexadecimal, the end inclusive, '#' before a
 *                 comment
 *
 * Types are the words of any Linux since 2.6.33, in any case, or an e820 number.
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

/* One line of the plain form, without a comment: the reason why it is none, or NULL. */
const char *e820_text_entry(const char *line, struct boot_memory *entry);
