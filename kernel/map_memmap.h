/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A struct page for every frame of RAM, near to it, at its place in the address space. */
#include "lab/options.h"
#include "mm/machine/machine.h"
#include "mm/machine/memmap.h"

/* Plans and maps the memmap as `options` have it. NULL, or in one clause why it does not fit. */
const char *map_memmap(struct memmap *memmap, struct machine *machine,
			 const struct options *options);
