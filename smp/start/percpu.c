/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/percpu.h"

#include <stddef.h>

#include "kernel/entry.h"
#include "kernel/io.h"
#include "lib/cpu.h"
#include "lib/page_units.h"
#include "lib/string.h"

/* smp/start/trampoline.asm */
_Static_assert(offsetof(struct percpu, self) == 0, "this_cpu");
_Static_assert(offsetof(struct percpu, stack_top) == 16, "smp/start/trampoline.asm");
_Static_assert(offsetof(struct percpu, first_tsc) == 32, "smp/start/trampoline.asm");
_Static_assert(sizeof(struct percpu) <= PAGE_BYTES, "one page per CPU, and a TSS within one page");

enum {
	MSR_FS_BASE = 0xc0000100,
	MSR_GS_BASE = 0xc0000101,

	GDT_CODE = 1,
	GDT_DATA = 2,
	GDT_TSS = 3, /* two entries */

	/* 64-bit task state segment [SDM 3A 8.7] */
	TSS_IST1 = 36,
	TSS_IST2 = 44,
	TSS_IO_MAP_BASE = 102,
	TSS_BYTES = 104,
};

/* Accessed, present, DPL 0; the code segment 64-bit [SDM 3A 3.4.5]. */
#define DESCRIPTOR_CODE64 0x00af9b000000ffffull
#define DESCRIPTOR_DATA 0x00cf93000000ffffull
#define DESCRIPTOR_TSS_AVAILABLE 0x0000890000000000ull

_Static_assert(KERNEL_CODE_SELECTOR == GDT_CODE * 8 && KERNEL_DATA_SELECTOR == GDT_DATA * 8 &&
	       KERNEL_TSS_SELECTOR == GDT_TSS * 8, "selectors");
_Static_assert(EXCEPTION_IST == 1 && NMI_IST == 2, "TSS_IST1, TSS_IST2");

struct percpu boot_percpu = {
	.self = &boot_percpu,
	.stack_bottom = (uint64_t)boot_stack_guard + PAGE_BYTES,
	.stack_top = (uint64_t)boot_stack_top,
	.exception_stack_bottom = (uint64_t)boot_exception_stack,
	.exception_stack_top = (uint64_t)boot_exception_stack_top,
	.nmi_stack_bottom = (uint64_t)boot_nmi_stack,
	.nmi_stack_top = (uint64_t)boot_nmi_stack_top,
	.state = CPU_WORKING,
};

static void fill_tss(struct percpu *block)
{
	uint16_t no_io_map = TSS_BYTES;

	memset(block->tss, 0, sizeof(block->tss));
	memcpy(block->tss + TSS_IST1, &block->exception_stack_top, sizeof(uint64_t));
	memcpy(block->tss + TSS_IST2, &block->nmi_stack_top, sizeof(uint64_t));
	memcpy(block->tss + TSS_IO_MAP_BASE, &no_io_map, sizeof(no_io_map));
}

static void fill_gdt(struct percpu *block)
{
	uint64_t tss = (uint64_t)block->tss;

	memset(block->gdt, 0, sizeof(block->gdt));
	block->gdt[GDT_CODE] = DESCRIPTOR_CODE64;
	block->gdt[GDT_DATA] = DESCRIPTOR_DATA;
	block->gdt[GDT_TSS] = DESCRIPTOR_TSS_AVAILABLE | (TSS_BYTES - 1) | (tss & 0xffffff) << 16 |
			      (tss >> 24 & 0xff) << 56;
	block->gdt[GDT_TSS + 1] = tss >> 32;
}

static void load_segments(const struct percpu *block)
{
	const struct __attribute__((packed)) {
		uint16_t limit;
		uint64_t base;
	} gdtr = { sizeof(block->gdt) - 1, (uint64_t)block->gdt };

	__asm__ volatile("lgdt %0\n\t"
			 "pushq %1\n\t"
			 "leaq 1f(%%rip), %%rax\n\t"
			 "pushq %%rax\n\t"
			 "lretq\n"
			 "1:\n\t"
			 "movl %2, %%eax\n\t"
			 "movl %%eax, %%ds\n\t"
			 "movl %%eax, %%es\n\t"
			 "movl %%eax, %%ss\n\t"
			 "xorl %%eax, %%eax\n\t"
			 "movl %%eax, %%fs\n\t"
			 "movl %%eax, %%gs\n\t"
			 "movl %3, %%eax\n\t"
			 "ltr %%ax"
			 :
			 : "m"(gdtr), "i"(KERNEL_CODE_SELECTOR), "i"(KERNEL_DATA_SELECTOR),
			   "i"(KERNEL_TSS_SELECTOR)
			 : "rax", "memory");
}

/* Odd and even bytes, a NUL, a newline: no text, number of pages or address. */
#define STACK_CANARY 0x5afe57ac0d0a0081ull

bool percpu_stacks_whole(const struct percpu *block)
{
	return *(const uint64_t *)block->stack_top == STACK_CANARY &&
	       *(const uint64_t *)block->exception_stack_top == STACK_CANARY &&
	       *(const uint64_t *)block->nmi_stack_top == STACK_CANARY;
}

void percpu_load(struct percpu *block)
{
	*(uint64_t *)block->stack_top = STACK_CANARY;
	*(uint64_t *)block->exception_stack_top = STACK_CANARY;
	*(uint64_t *)block->nmi_stack_top = STACK_CANARY;
	block->self = block;
	block->apic_id = cpuid(1, 0).ebx >> 24; /* until the APIC itself is asked */
	fill_tss(block);
	fill_gdt(block);
	load_segments(block);
	wrmsr(MSR_FS_BASE, 0);
	wrmsr(MSR_GS_BASE, (uint64_t)block);
}
