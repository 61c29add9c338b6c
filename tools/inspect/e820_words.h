/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "boot/boot_info.h"

/* What Linux calls a type of memory: in its boot messages since 2.6.33, in /proc/iomem and in
 * /sys/firmware/memmap; or an e820 number. In any case, in brackets or not, with or without the
 * size that some kernels print before it. False when it is none of them. [Linux
 * arch/x86/kernel/e820.c, 2.6.33 to 6.19] */
bool e820_word(const char *text, enum memory_type *type);

/* One or more digits of `base`, "0x" before them where that is 16, no sign, at most `limit`;
 * returns what follows them, NULL when something else is there. */
const char *e820_number(const char *at, unsigned base, uint64_t limit, uint64_t *value);
