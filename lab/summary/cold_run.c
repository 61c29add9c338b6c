/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/cold_run.h"

#include <stddef.h>

const struct run_sample *init_cold_run(const struct init_results *results)
{
	for (uint32_t i = 0; i < results->run_count; i++)
		if (results->runs[i].cold && !results->runs[i].timed_out)
			return &results->runs[i];
	return NULL;
}
