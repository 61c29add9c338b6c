/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One block per CPU, found through GS. Offsets used by assembly are asserted in percpu.c. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "smp/dispatch/cpu_model.h"
#include "smp/dispatch/cpu_topology.h"

#define CPU_UNKNOWN UINT32_MAX

enum { KERNEL_CODE_SELECTOR = 0x08, KERNEL_DATA_SELECTOR = 0x10, KERNEL_TSS_SELECTOR = 0x18 };

/* Entries of the interrupt stack table. An NMI, after which the CPU goes on, may come in the middle
 * of any exception: it has a stack of its own. */
enum { EXCEPTION_IST = 1, NMI_IST = 2 };

struct percpu {
	struct percpu *self;     /* offset 0: mov rax, [gs:0] */
	uint32_t cpu;            /* index in topology->cpus, or CPU_UNKNOWN; the boot CPU is 0 */
	uint32_t apic_id;
	uint64_t stack_top;      /* a canary lies there and above */
	uint64_t exception_stack_top;
	uint64_t first_tsc;      /* the CPU's first instruction in this kernel */
	uint64_t stack_bottom, exception_stack_bottom;
	uint64_t nmi_stack_bottom, nmi_stack_top; /* with a canary, too */
	_Atomic uint64_t unknown_nmis; /* that came to this CPU */
	/* of the other CPUs, once they have arrived */
	struct cpu_location location;
	struct core_design design;
	bool other_mtrrs;     /* than the boot CPU has */
	uint64_t uncached_at; /* RAM that it does not cache, UINT64_MAX: none */
	/* mailbox: work for a halted CPU */
	_Alignas(64) _Atomic(void (*)(void *argument, uint32_t index)) work;
	void *work_argument;
	uint32_t work_index;
	_Alignas(64) _Atomic uint32_t state; /* enum cpu_state */
	/* descriptor tables of this CPU */
	_Alignas(64) uint64_t gdt[8];
	_Alignas(16) uint8_t tss[112];
};

/* Bytes above each stack that nothing may write: percpu_load fills them. */
enum { STACK_CANARY_BYTES = 16 };

enum cpu_state { CPU_ABSENT, CPU_IDLE, CPU_WORKING };

/* Sets up the block of the calling CPU, whose stacks it names, and loads GDT, TSS, GS base. */
void percpu_load(struct percpu *block);

/* Whether what lies above its stacks is as percpu_load left it. */
bool percpu_stacks_whole(const struct percpu *block);

static inline struct percpu *this_cpu(void)
{
	struct percpu *block;

	__asm__ volatile("mov %%gs:0, %0" : "=r"(block));
	return block;
}

/* The boot CPU's block, usable from the first C instruction (static, as are its stacks). */
extern struct percpu boot_percpu;

/* The boot CPU's stacks for exceptions and NMIs, and the page below each, which paging_init leaves
 * out (kernel/traps.asm). */
extern char boot_exception_guard[], boot_exception_stack[], boot_exception_stack_top[];
extern char boot_nmi_guard[], boot_nmi_stack[], boot_nmi_stack_top[];
