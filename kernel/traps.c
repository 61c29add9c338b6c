/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/traps.h"

#include <stddef.h>

#include "kernel/backtrace.h"
#include "kernel/console.h"
#include "kernel/exit.h"
#include "kernel/io.h"
#include "kernel/machine_check.h"
#include "kernel/nmi.h"
#include "kernel/paging.h"
#include "kernel/panic.h"
#include "kernel/pic.h"
#include "smp/start/lapic.h"
#include "smp/start/percpu.h"
#include "smp/start/work.h"

enum {
	VECTORS = 256,
	EXCEPTIONS = 32,
	VECTOR_NMI = 2,
	VECTOR_GENERAL_PROTECTION = 13,
	VECTOR_PAGE_FAULT = 14,
	VECTOR_MACHINE_CHECK = 18,

	STUB_BYTES = 16, /* kernel/traps.asm */

	OPCODE_HLT = 0xf4,

	GATE_INTERRUPT = 0x8e, /* present, DPL 0, turns interrupts off [SDM 3A 7.14.1] */
};

/* As pushed by kernel/traps.asm and, from `error` on, by the CPU [SDM 3A 7.14.2]. */
struct trap_frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
	uint64_t rbp, rdi, rsi, rdx, rcx, rbx, rax;
	uint64_t vector, error;
	uint64_t rip, cs, rflags, rsp, ss;
};

/* [SDM 3A 7.14.1] */
struct gate {
	uint16_t offset_low, selector;
	uint8_t stack_index, type;
	uint16_t offset_middle;
	uint32_t offset_high, reserved;
};
_Static_assert(sizeof(struct gate) == 16, "gate");

extern const uint8_t trap_stubs[VECTORS * STUB_BYTES];
extern const uint8_t rdmsr_attempt[], rdmsr_failed[];
void trap_handler(struct trap_frame *frame);

static _Alignas(64) struct gate gates[VECTORS];

/* [SDM 3A table 7-1; 28 to 30: APM 2 8.2] */
static const char *const exception_names[EXCEPTIONS] = {
	[0] = "#DE divide error",
	[1] = "#DB debug",
	[2] = "NMI",
	[3] = "#BP breakpoint",
	[4] = "#OF overflow",
	[5] = "#BR bound range exceeded",
	[6] = "#UD invalid opcode",
	[7] = "#NM device not available",
	[8] = "#DF double fault",
	[10] = "#TS invalid TSS",
	[11] = "#NP segment not present",
	[12] = "#SS stack segment fault",
	[13] = "#GP general protection",
	[14] = "#PF page fault",
	[16] = "#MF x87 floating point error",
	[17] = "#AC alignment check",
	[18] = "#MC machine check",
	[19] = "#XM SIMD floating point",
	[20] = "#VE virtualization",
	[21] = "#CP control protection",
	[28] = "#HV hypervisor injection",
	[29] = "#VC VMM communication",
	[30] = "#SX security",
};

static const char *exception_name(uint64_t vector)
{
	return exception_names[vector] ? exception_names[vector] : "reserved";
}

static void print_registers(const struct trap_frame *f)
{
	sink_print(console(),
		   "  RIP %016lx  CS  %016lx  RFLAGS %016lx\n"
		   "  RSP %016lx  SS  %016lx\n"
		   "  RAX %016lx  RBX %016lx  RCX %016lx  RDX %016lx\n"
		   "  RSI %016lx  RDI %016lx  RBP %016lx  R8  %016lx\n"
		   "  R9  %016lx  R10 %016lx  R11 %016lx  R12 %016lx\n"
		   "  R13 %016lx  R14 %016lx  R15 %016lx\n"
		   "  CR2 %016lx  CR3 %016lx\n",
		   f->rip, f->cs, f->rflags, f->rsp, f->ss, f->rax, f->rbx, f->rcx, f->rdx, f->rsi,
		   f->rdi, f->rbp, f->r8, f->r9, f->r10, f->r11, f->r12, f->r13, f->r14, f->r15,
		   read_cr2(), read_cr3());
}

static void report(const struct trap_frame *frame)
{
	const struct percpu *block = this_cpu();
	const struct backtrace_start start = { frame->rip, frame->rbp, frame->rsp };
	const char *cause = frame->vector == VECTOR_NMI ? nmi_cause() : NULL;

	sink_print(console(),
		   "\nPANIC: exception %lu (%s), error code 0x%lx\n  CPU %u (APIC id %u)\n",
		   frame->vector, exception_name(frame->vector), frame->error, block->cpu,
		   block->apic_id);
	if (frame->vector == VECTOR_PAGE_FAULT && paging_is_guard(read_cr2()))
		sink_print(console(), "  stack overflow: CR2 is in the guard page below a stack\n");
	if (cause)
		sink_print(console(), "  %s\n", cause);
	if (frame->vector == VECTOR_MACHINE_CHECK)
		machine_check_print(console());
	print_registers(frame);
	backtrace_print(console(), block, &start);
}

static void report_nested(const struct trap_frame *frame)
{
	sink_print(console(), "\nPANIC while reporting: exception %lu (%s) at %016lx\n",
		   frame->vector, exception_name(frame->vector), frame->rip);
}

static _Noreturn void exception(const struct trap_frame *frame)
{
	if (frame->vector == VECTOR_MACHINE_CHECK)
		machine_check_let_report();
	if (panic_enter())
		report(frame);
	else
		report_nested(frame);
	exit_run(EXIT_VALUE_PANIC);
}

/* Whether it was rdmsr_safe, which then goes on where it reports the failure. */
static bool msr_missing(struct trap_frame *frame)
{
	if (frame->vector != VECTOR_GENERAL_PROTECTION || frame->rip != (uint64_t)rdmsr_attempt)
		return false;
	frame->rip = (uint64_t)rdmsr_failed;
	return true;
}

/*
 * An NMI is smp_halt_others of a CPU that reports, which is not disturbed itself; or it has a
 * cause, and ends the run; or it is counted. One that came between STI and HLT has let the wake
 * message through, which HLT would then wait for: it is stepped over.
 */
static void nmi(struct trap_frame *frame)
{
	if (panic_entered()) {
		if (!panic_reporter())
			cpu_park();
		return;
	}
	if (nmi_cause())
		exception(frame);
	nmi_count();
	if (*(const uint8_t *)frame->rip == OPCODE_HLT)
		frame->rip++;
}

/* The wake message needs no more than its arrival, and whatever else firmware left switched on is
 * ignored. A spurious interrupt is not acknowledged [SDM 3A 11.9]. */
void trap_handler(struct trap_frame *frame)
{
	if (msr_missing(frame))
		return;
	if (frame->vector == VECTOR_NMI) {
		nmi(frame);
		return;
	}
	if (frame->vector < EXCEPTIONS)
		exception(frame);
	if (frame->vector != LAPIC_SPURIOUS_VECTOR && !pic_vector(frame->vector))
		lapic_eoi();
}

static uint8_t stack_of(uint32_t vector)
{
	if (vector == VECTOR_NMI)
		return NMI_IST;
	return vector < EXCEPTIONS ? EXCEPTION_IST : 0;
}

void traps_init(void)
{
	for (uint32_t vector = 0; vector < VECTORS; vector++) {
		uint64_t stub = (uint64_t)&trap_stubs[vector * STUB_BYTES];

		gates[vector] = (struct gate){
			.offset_low = (uint16_t)stub,
			.selector = KERNEL_CODE_SELECTOR,
			.stack_index = stack_of(vector),
			.type = GATE_INTERRUPT,
			.offset_middle = (uint16_t)(stub >> 16),
			.offset_high = (uint32_t)(stub >> 32),
		};
	}
}

void traps_load(void)
{
	const struct __attribute__((packed)) {
		uint16_t limit;
		uint64_t base;
	} idtr = { sizeof(gates) - 1, (uint64_t)gates };

	__asm__ volatile("lidt %0" : : "m"(idtr));
}
