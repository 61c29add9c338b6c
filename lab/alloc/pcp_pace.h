/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Crews that are given up. Where there are more virtual CPUs than CPUs to run them, a large crew
 * meets, waits for locks and ends only when each of its CPUs has had its turn: its measurements
 * take a hundred times as long as they should, and say nothing. They are found in the first
 * repetition: when it is late, crews that take more than twice their share of the time go, and
 * with them all larger ones.
 */
#include "lab/alloc/pcp_bench_state.h"

/* Whether the cell's crew is too large to be measured here. */
bool pcp_given_up(const struct pcp_results *results, const struct pcp_cell *cell);

/* After a measurement, which took `cycles`. */
void pcp_keep_pace(struct pcp_bench_state *state, uint64_t cycles);
