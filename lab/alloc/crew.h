/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* CPUs that start together. */
#include "lab/alloc/alloc_lab.h"

/* node, across. */
const char *crew_place_name(enum crew_place place);

/* The first `count` of them into `cpus` (indexes in topology->cpus, online); returns how many there
 * were, less than asked where there are not so many. Of a larger crew a smaller one is the
 * beginning. */
uint32_t crew_choose(const struct topology *topology, enum crew_place place, uint32_t count,
		     uint32_t *cpus);

/* 1, 2, 4 ... and `all` itself: the next after `count`; 0 after `all`. */
uint32_t crew_next(uint32_t count, uint32_t all);

/* The node from which a CPU takes memory: its own, or if that has no RAM the nearest that has. */
uint32_t crew_memory_node(const struct topology *topology, uint32_t cpu);

/* function(argument, i) on cpus[i], for all i, who first meet at a barrier; returns when all have
 * returned. False: not all came in time, and those who gave up waiting have done nothing. `count`
 * is not 0. */
bool crew_run(struct crew *crew, const struct lab_machine *machine, const uint32_t *cpus,
	      uint32_t count, void (*function)(void *argument, uint32_t index), void *argument);
