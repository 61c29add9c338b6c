/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/table.h"

#include <stddef.h>

#include "lib/assert.h"

const struct experiment *const all_experiments[] = {
	&experiment_stores,
	&experiment_bandwidth,
	&experiment_calibration,
	&experiment_init,
	&experiment_sweep,
	&experiment_comparison,
	&experiment_how_many,
	&experiment_fill,
	&experiment_pcp,
	&experiment_stream,
	&experiment_free,
	NULL,
};

static const struct experiment *by_id(uint32_t id)
{
	uint32_t i = 0;

	while (all_experiments[i] && all_experiments[i]->id != id)
		i++;
	lab_assert(all_experiments[i]);
	return all_experiments[i];
}

static const struct word *word_at(uint32_t id)
{
	return &by_id(id)->word;
}

static bool is_unasked(uint32_t id)
{
	return by_id(id)->unasked;
}

const struct word_list experiment_words = { EXPERIMENT_COUNT, word_at, .unasked = is_unasked };
