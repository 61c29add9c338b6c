/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What a worker does. */
#include "lab/run/state.h"

/* Workers and their duties from this run's plan; no stamps yet. */
void lab_find_workers(struct lab *lab);

/* The function that they run, of a struct lab: all meet at the barrier, then work. */
void lab_worker_main(void *argument, uint32_t index);
