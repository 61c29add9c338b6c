/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* CPUs that start together. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lab/machine.h"
#include "mm/machine/topology.h"
#include "smp/dispatch/barrier.h"

enum crew_place {
	CREW_NODE,   /* CPUs of one node: that with the most of them, if possible one with RAM; a
		      * CPU of each core first */
	CREW_ACROSS, /* the nodes with CPUs in turn */
	CREW_PLACES
};

struct crew_start {
	const struct lab_machine *machine;
	void (*function)(void *argument, uint32_t index);
	void *argument;
	struct barrier barrier;
	_Atomic uint64_t go_tsc;     /* when all had met; the same for all of them */
	_Atomic uint32_t late;       /* who found that not all came in time, and did nothing */
};

/* node, across. */
const char *crew_place_name(enum crew_place place);

/* The first `count` CPUs of that place into `cpus` (indexes in topology->cpus, online); returns how
 * many there are, at most `count`. A smaller crew is the beginning of a larger one. */
uint32_t crew_choose(const struct topology *topology, enum crew_place place, uint32_t count,
		     uint32_t *cpus);

/* 1, 2, 4 ... and `all` itself: the next after `count`; 0 after `all`. */
uint32_t crew_next(uint32_t count, uint32_t all);

/* The node from which a CPU takes memory: its own, or if that has no RAM the nearest that has. */
uint32_t crew_memory_node(const struct topology *topology, uint32_t cpu);

/* function(argument, i) on cpus[i], for all i, who first meet at a barrier; returns when all have
 * returned. False: not all came in time, and those who gave up waiting have done nothing. `count`
 * is not 0. */
bool crew_run(struct crew_start *crew, const struct lab_machine *machine, const uint32_t *cpus,
	      uint32_t count, void (*function)(void *argument, uint32_t index), void *argument);
