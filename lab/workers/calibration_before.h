/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What comes before the search's first step: first touches, and what it costs that CPUs meet. */
#include "lab/workers/calibration_parts.h"

/* The CPUs of all nodes' current workers, into c->cpus and c->workers; their number. No CPU is in
 * it twice: nodes that others serve have no workers here. */
uint32_t calibrate_gather(struct calibrate_state *c);

/* Sets every node's current workers: `most`, or all that it has. */
void calibrate_set_workers(struct calibrate_state *c, uint32_t most);

/* Touches the frames of nodes where first touches take long, and holds the search to those. */
void calibrate_touch(struct calibrate_state *c);

/* How long a step without work takes: of two workers a node, since the first one of all may be the
 * boot CPU, which need not be woken. False: there are none, or they did not meet. Sets every node's
 * workers to 1. */
bool calibrate_meet(struct calibrate_state *c);
