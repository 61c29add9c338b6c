/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What `run=` may name, in the order in which it is named; what each is stands in
 * experiments/table.c, in the order in which they run. */
enum experiment_id {
	EXPERIMENT_INIT,
	EXPERIMENT_SWEEP,
	EXPERIMENT_BANDWIDTH,
	EXPERIMENT_PCP,
	EXPERIMENT_FREE,
	EXPERIMENT_COUNT
};
