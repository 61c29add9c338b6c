/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What all CPUs do together before a run and after it. */
#include "lab/run/state.h"

void lab_run_on(const struct lab *lab, const uint32_t *cpus, uint32_t count,
		void (*function)(void *argument, uint32_t index), void *argument);

/* Poison in the memmap, unless the run is cold, and pageblocks without a type. */
void lab_poison(struct lab *lab);

/* What the oracle finds. */
void lab_verify(struct lab *lab, enum verify_stage stage, struct verify_totals *totals);
