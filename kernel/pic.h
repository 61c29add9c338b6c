/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/*
 * The two old interrupt controllers [Intel 8259A]. A BIOS leaves them at vectors 8 to 15 and 70h to
 * 77h, of which the first eight are exceptions for this kernel: the timer's interrupt would be a
 * double fault. They are moved, and all their lines are masked. Boot CPU, interrupts off.
 */
void pic_silence(void);

/* Whether the vector is one of theirs: even masked they may send one, without any device behind it.
 * No local APIC waits for its end. */
bool pic_vector(uint64_t vector);
