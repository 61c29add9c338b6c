/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What boot/entry.asm hands over. */
#include <stddef.h>
#include <stdint.h>

#include "lib/phys.h"
#include "lib/range.h"

struct entry_facts {
	uint64_t tsc;      /* at the first instruction */
	uint32_t magic;    /* of the protocol */
	uint32_t unused;
	uint64_t info;     /* physical address of the loader's information */
	/* image's physical address minus its link-time one; a multiple of 2 MiB */
	uint64_t moved;
};
_Static_assert(offsetof(struct entry_facts, info) == 16, "boot/entry.asm");
_Static_assert(offsetof(struct entry_facts, moved) == 24, "boot/entry.asm");
_Static_assert(sizeof(struct entry_facts) == 32, "boot/entry.asm");

/* boot/entry.asm, linker.ld */
extern struct entry_facts entry_facts;
extern char early_tables[], boot_stack_guard[], boot_stack_top[];
extern char __image_start[], __image_end[];
extern char __text_start[], __text_end[], __rodata_start[], __rodata_end[];
extern char __data_start[], __data_end[];

/* Physical bytes of the image, wherever it was loaded. */
struct range entry_image(void);

/* The first 4 GiB, which boot/entry.asm maps, and of what lies above a few GiB, mapped when it is
 * asked for: until the permanent page tables are in use. */
extern const struct phys_reader entry_reader;
