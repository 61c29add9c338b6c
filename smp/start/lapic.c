/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/lapic.h"

#include <stddef.h>

#include "kernel/clock.h"
#include "kernel/io.h"
#include "kernel/paging.h"
#include "lib/cpu.h"
#include "lib/patience.h"

enum {
	MSR_APIC_BASE = 0x1b,
	MSR_X2APIC = 0x800, /* + register offset / 16 [SDM 3A 11.12.1.2] */

	APIC_BASE_X2APIC = 1 << 10, /* EXTD [SDM 3A 11.12.1] */
	APIC_BASE_ENABLE = 1 << 11, /* EN [SDM 3A 11.4.4] */

	/* Register offsets [SDM 3A table 11-1] */
	LAPIC_ID = 0x020,
	LAPIC_TASK_PRIORITY = 0x080,
	LAPIC_EOI = 0x0b0,
	LAPIC_SPURIOUS = 0x0f0,
	LAPIC_COMMAND = 0x300,
	LAPIC_COMMAND_HIGH = 0x310,
	LAPIC_LVT_TIMER = 0x320,
	LAPIC_LVT_LINT0 = 0x350,
	LAPIC_TIMER_COUNT = 0x380,
	LAPIC_TIMER_DIVIDE = 0x3e0,
	LAPIC_BYTES = 0x400,

	SPURIOUS_APIC_ENABLE = 1 << 8,
	LVT_MASKED = 1 << 16,
	TIMER_DIVIDE_128 = 0xa,
	ALARM_COUNT = 8000000, /* 1 s at 1 GHz, 40 s at 25 MHz */

	/* What firmware left running (timers, devices) stays pending for ever: only vectors above
	 * 0xef come through [SDM 3A 11.8.3.1]. */
	OWN_VECTORS_ONLY = 0xe0,

	/* Interrupt command, physical destination, edge [SDM 3A 11.6.1] */
	COMMAND_FIXED = 0x4000,
	COMMAND_NMI = 0x4400,
	COMMAND_INIT = 0x4500,
	COMMAND_STARTUP = 0x4600,
	COMMAND_PENDING = 1 << 12, /* delivery status; xAPIC only */
	COMMAND_PATIENCE_US = 1000,
};

#define APIC_BASE_ADDRESS 0x000ffffffffff000ull

struct lapic_ops {
	bool x2apic;
	uint32_t (*id)(void);
	void (*write)(uint32_t offset, uint32_t value);
	void (*command)(uint32_t apic_id, uint32_t command);
};

static volatile uint32_t *registers;
static const struct lapic_ops *ops;

static uint32_t xapic_read(uint32_t offset)
{
	return registers[offset / sizeof(uint32_t)];
}

static void xapic_write(uint32_t offset, uint32_t value)
{
	registers[offset / sizeof(uint32_t)] = value;
}

static uint32_t xapic_id(void)
{
	return xapic_read(LAPIC_ID) >> 24;
}

/* Writing the low half sends, so the destination goes first [SDM 3A 11.6.1]. */
static void xapic_command(uint32_t apic_id, uint32_t command)
{
	struct patience patience;

	patience_begin(&patience, tsc_ordered(), clock_cycles_us(COMMAND_PATIENCE_US));
	while (xapic_read(LAPIC_COMMAND) & COMMAND_PENDING &&
	       !patience_over(&patience, tsc_ordered()))
		cpu_pause();
	xapic_write(LAPIC_COMMAND_HIGH, apic_id << 24);
	xapic_write(LAPIC_COMMAND, command);
}

static void x2apic_write(uint32_t offset, uint32_t value)
{
	wrmsr(MSR_X2APIC + (offset >> 4), value);
}

static uint32_t x2apic_id(void)
{
	return (uint32_t)rdmsr(MSR_X2APIC + (LAPIC_ID >> 4));
}

/* A write to an x2APIC register may overtake earlier stores, which the receiver is to see
 * [SDM 3A 11.12.3]. There is no delivery status to wait for [SDM 3A 11.12.9]. */
static void x2apic_command(uint32_t apic_id, uint32_t command)
{
	__asm__ volatile("mfence\n\tlfence" ::: "memory");
	wrmsr(MSR_X2APIC + (LAPIC_COMMAND >> 4), (uint64_t)apic_id << 32 | command);
}

static const struct lapic_ops xapic_ops = { false, xapic_id, xapic_write, xapic_command };
static const struct lapic_ops x2apic_ops = { true, x2apic_id, x2apic_write, x2apic_command };

bool lapic_in_x2apic_mode(void)
{
	return (rdmsr(MSR_APIC_BASE) & APIC_BASE_X2APIC) != 0;
}

static bool cpu_has_x2apic(void)
{
	return (cpuid(1, 0).ecx & 1u << 21) != 0;
}

static bool map_registers(void)
{
	if (!registers)
		registers = paging_map_device(lapic_address(), LAPIC_BYTES);
	return registers != NULL;
}

/* Leaves 1Fh and 0Bh give the full id in EDX where they exist, leaf 1 its low eight bits. */
static uint32_t cpuid_apic_id(void)
{
	uint32_t top = cpuid(0, 0).eax;

	if (top >= 0x1f && (cpuid(0x1f, 0).ebx & 0xffff))
		return cpuid(0x1f, 0).edx;
	if (top >= 0x0b && (cpuid(0x0b, 0).ebx & 0xffff))
		return cpuid(0x0b, 0).edx;
	return cpuid(1, 0).ebx >> 24;
}

uint32_t lapic_boot_id(void)
{
	uint32_t id = cpuid_apic_id();

	if (lapic_in_x2apic_mode())
		return x2apic_id();
	if (!(rdmsr(MSR_APIC_BASE) & APIC_BASE_ENABLE) || !map_registers())
		return id;
	/* The register counts: firmware may have changed it. It holds eight bits of a longer id. */
	return (id & 0xff) == xapic_id() ? id : xapic_id();
}

uint64_t lapic_address(void)
{
	return rdmsr(MSR_APIC_BASE) & APIC_BASE_ADDRESS;
}

bool lapic_init(bool need_x2apic)
{
	if (lapic_in_x2apic_mode() || (need_x2apic && cpu_has_x2apic()))
		ops = &x2apic_ops;
	else if (map_registers())
		ops = &xapic_ops;
	else
		return false;
	lapic_enable();
	return true;
}

/* Each CPU has its own IA32_APIC_BASE, and only some steps between the modes are legal; the others
 * raise #GP [SDM 3A figure 11-27]:
 *
 *   disabled --> xAPIC --> x2APIC
 *      ^----------'----------'
 */
void lapic_enable(void)
{
	uint64_t base = rdmsr(MSR_APIC_BASE) & ~(uint64_t)(APIC_BASE_ENABLE | APIC_BASE_X2APIC);

	if (lapic_in_x2apic_mode() && !ops->x2apic)
		wrmsr(MSR_APIC_BASE, base);
	if (!lapic_in_x2apic_mode())
		wrmsr(MSR_APIC_BASE, base | APIC_BASE_ENABLE);
	if (!lapic_in_x2apic_mode() && ops->x2apic)
		wrmsr(MSR_APIC_BASE, base | APIC_BASE_ENABLE | APIC_BASE_X2APIC);
	ops->write(LAPIC_TASK_PRIORITY, OWN_VECTORS_ONLY);
	/* The old interrupt controller's vectors would look like exceptions. */
	ops->write(LAPIC_LVT_LINT0, LVT_MASKED);
	ops->write(LAPIC_SPURIOUS, SPURIOUS_APIC_ENABLE | LAPIC_SPURIOUS_VECTOR);
}

uint32_t lapic_id(void)
{
	return ops->id();
}

void lapic_set_alarm(void)
{
	ops->write(LAPIC_LVT_TIMER, LAPIC_ALARM_VECTOR);
	ops->write(LAPIC_TIMER_DIVIDE, TIMER_DIVIDE_128);
	ops->write(LAPIC_TIMER_COUNT, ALARM_COUNT);
}

void lapic_eoi(void)
{
	ops->write(LAPIC_EOI, 0);
}

void lapic_send_init(uint32_t apic_id)
{
	ops->command(apic_id, COMMAND_INIT);
}

void lapic_send_startup(uint32_t apic_id, uint64_t pfn)
{
	ops->command(apic_id, COMMAND_STARTUP | (uint32_t)(pfn & 0xff));
}

void lapic_send_wake(uint32_t apic_id)
{
	ops->command(apic_id, COMMAND_FIXED | LAPIC_WAKE_VECTOR);
}

void lapic_send_nmi(uint32_t apic_id)
{
	ops->command(apic_id, COMMAND_NMI);
}
