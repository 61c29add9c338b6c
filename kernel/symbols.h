/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Function names for back traces, generated from the first of two links (tools/gen-symbols). */
#include <stdint.h>

struct symbol {
	uint32_t offset; /* bytes from the linker's __text_start */
	uint32_t name;   /* index into kernel_symbol_names, NUL-terminated */
};

/* By ascending offset, each offset once. In the first link there are none. */
extern const struct symbol kernel_symbols[];
extern const uint32_t kernel_symbol_count;
extern const char kernel_symbol_names[];
