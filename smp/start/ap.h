/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What a started CPU does, from its first C instruction on. */
#include "mm/machine/topology.h"
#include "smp/start/percpu.h"

/* Boot CPU, before any start: who may come. */
void ap_expect(const struct topology *topology);

/* Sets where the calling CPU is, by its APIC id, in its block. */
void ap_locate(struct percpu *block);

/* Entered from smp/start/trampoline.asm on the CPU's own stack. */
_Noreturn void ap_main(struct percpu *block);

/* How many CPUs came that nobody had sent for, and the APIC id of the last of them. */
uint32_t ap_strangers(uint32_t *apic_id);
