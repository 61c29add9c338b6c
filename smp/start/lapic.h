/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The local APIC, in one of two modes: registers in memory (xAPIC, ids up to 254) or in MSRs
 * (x2APIC, 32-bit ids). The mode is chosen once, for all CPUs.
 */
#include <stdbool.h>
#include <stdint.h>

enum {
	LAPIC_WAKE_VECTOR = 0xf0,
	LAPIC_ALARM_VECTOR = 0xf1,
	LAPIC_SPURIOUS_VECTOR = 0xff, /* low four bits set, as old APICs demand [SDM 3A 11.9] */
	XAPIC_ID_MAX = 254,           /* 255 addresses all CPUs */
};

/* Boot CPU, once: stays in the mode that firmware left, or changes from xAPIC to x2APIC if
 * `need_x2apic` and the CPU can. Then enables the APIC. False when its registers cannot be
 * mapped. */
bool lapic_init(bool need_x2apic);

/* Takes the calling CPU into the chosen mode, whatever mode it is in, and enables its APIC. */
void lapic_enable(void);

/* The mode that the calling CPU is in. */
bool lapic_in_x2apic_mode(void);

/* Physical address of the registers, as the boot CPU has it in IA32_APIC_BASE. */
uint64_t lapic_address(void);

/* APIC id of the calling CPU. */
uint32_t lapic_id(void);

/* One interrupt on the calling CPU in some seconds: how many depends on the APIC's clock, which is
 * not measured. It ends the HLT of somebody who waits for others that may never come. */
void lapic_set_alarm(void);

/* End of the interrupt being handled. */
void lapic_eoi(void);

/* Messages to one CPU. Each waits, for at most a millisecond, until the one before has left. */
void lapic_send_init(uint32_t apic_id);
void lapic_send_startup(uint32_t apic_id, uint64_t pfn); /* starts at frame `pfn`, 1 to 255 */
void lapic_send_wake(uint32_t apic_id);                  /* LAPIC_WAKE_VECTOR */
void lapic_send_nmi(uint32_t apic_id);

/* APIC id of the calling CPU, from the APIC in whatever mode the firmware left it. */
uint32_t lapic_boot_id(void);
