/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Who is here: at first CPU 0, the boot CPU, alone. Each other CPU's entry goes from nobody to
 * awaited and from there, by one atomic exchange, to either its block (it arrived) or nobody (it
 * was given up): a late CPU and the boot CPU never disagree about whether it takes part.
 */
#include <stdbool.h>
#include <stdint.h>

#include "smp/start/percpu.h"

/* Boot CPU: expects the CPU from now on. */
void roster_await(uint32_t cpu);

/* Whether the CPU is expected and has not arrived. */
bool roster_is_awaited(uint32_t cpu);

/* The arriving CPU itself: false when it is not, or no longer, awaited, and must park. */
bool roster_arrive(uint32_t cpu, struct percpu *block);

/* Boot CPU: false when the CPU has arrived after all. */
bool roster_give_up(uint32_t cpu);

/* The CPU's block; NULL while it is not here. */
struct percpu *roster_find(uint32_t cpu);

/* How many have arrived by roster_arrive. */
uint32_t roster_arrived(void);

/* For panic(): stops all other CPUs where they are, without waiting for them. */
void smp_halt_others(void);
