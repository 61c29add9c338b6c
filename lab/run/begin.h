/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What stays the same throughout an experiment. */
#include "lab/run/state.h"

/* Once per experiment. False: no CPU is online. */
bool lab_begin(struct lab *lab);

/* Takes back from `options` what the machine has not got: more workers per node than any node has
 * CPUs online. Noted in `log`. */
void lab_check_options(struct options *options, const struct topology *topology,
			struct anomaly_log *log);

/* Online CPUs of the node that has the most. */
uint32_t lab_most_online(const struct topology *topology);
