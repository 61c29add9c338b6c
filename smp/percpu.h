#pragma once
/* One block per CPU, found through GS. Offsets used by assembly are asserted in percpu.c. */
#include <stdatomic.h>
#include <stdint.h>

struct percpu {
	struct percpu *self;     /* offset 0: mov rax, [gs:0] */
	uint32_t cpu;            /* index in topology->cpus; the boot CPU is 0 */
	uint32_t apic_id;
	uint64_t stack_top;
	uint64_t exception_stack_top;
	uint64_t first_tsc;      /* the CPU's first instruction in this kernel */
	/* mailbox: work for a halted CPU */
	_Alignas(64) _Atomic(void (*)(void *argument, uint32_t index)) work;
	void *work_argument;
	uint32_t work_index;
	_Alignas(64) _Atomic uint32_t state; /* enum cpu_state */
	/* descriptor tables of this CPU */
	_Alignas(64) uint64_t gdt[8];
	_Alignas(16) uint8_t tss[112];
};

enum cpu_state { CPU_ABSENT, CPU_IDLE, CPU_WORKING };

/* Sets up the block of the calling CPU and loads GDT, TSS, GS base. */
void percpu_load(struct percpu *block);

static inline struct percpu *this_cpu(void)
{
	struct percpu *block;

	__asm__ volatile("mov %%gs:0, %0" : "=r"(block));
	return block;
}

/* The boot CPU's block, usable from the first C instruction (static, stacks from the linker script). */
extern struct percpu boot_percpu;
