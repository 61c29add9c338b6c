/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The first instructions of every CPU but the boot CPU (trampoline.asm): copied to a page below
 * 1 MiB, run there by any number of CPUs at the same time, without a stack until each has its own.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mm/machine/early_alloc.h"
#include "smp/start/percpu.h"

/* Any ticket is beyond the pool from here on: who comes now halts. */
#define TRAMPOLINE_CLOSED 0x80000000u

struct __attribute__((packed)) far_pointer {
	uint32_t offset;
	uint16_t selector;
	uint16_t unused;
};

/* Filled in by the boot CPU, at trampoline_data - trampoline_start in the page. */
struct trampoline_data {
	_Atomic uint32_t tickets; /* one taken by each CPU that comes, from 0 */
	uint32_t pool;            /* how many tickets are good */
	uint32_t cr0, cr3, cr4, efer;
	struct far_pointer protected_mode, long_mode; /* physical */
	struct __attribute__((packed)) {
		uint16_t limit;
		uint32_t base;
		uint16_t unused;
	} gdtr;
	uint64_t entry;           /* ap_main(blocks[ticket]) */
	struct percpu **blocks;
	uint64_t gdt[4];
};
_Static_assert(offsetof(struct trampoline_data, cr0) == 8, "smp/start/trampoline.asm");
_Static_assert(offsetof(struct trampoline_data, protected_mode) == 24, "smp/start/trampoline.asm");
_Static_assert(offsetof(struct trampoline_data, gdtr) == 40, "smp/start/trampoline.asm");
_Static_assert(offsetof(struct trampoline_data, entry) == 48, "smp/start/trampoline.asm");
_Static_assert(offsetof(struct trampoline_data, gdt) == 64, "smp/start/trampoline.asm");

extern const uint8_t trampoline_start[], trampoline_protected[], trampoline_long[];
extern const uint8_t trampoline_data[], trampoline_end[];

/* The copy that CPUs run. */
struct trampoline {
	uint64_t pfn;
	struct trampoline_data *data; /* in that page */
};

/* Takes a page below 1 MiB and copies the code there. False when none is free. */
bool trampoline_place(struct trampoline *trampoline, struct early_alloc *early);

/* Lets the first `pool` CPUs that come run ap_main, each with the next one of `blocks`. */
void trampoline_fill(struct trampoline *trampoline, struct percpu **blocks, uint32_t pool);
