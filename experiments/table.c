/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/table.h"

/* In the order in which they run. */
static const struct experiment table[] = {
	{
		.id = EXPERIMENT_BANDWIDTH,
		.word = { "bandwidth", "what memory gives to cores and to their siblings" },
	},
	{
		.id = EXPERIMENT_INIT,
		.word = { "init", "the policies of memmap initialisation, compared" },
		.unasked = true,
	},
	{
		.id = EXPERIMENT_SWEEP,
		.word = { "sweep", "numbers of workers and sizes of chunks, compared" },
	},
	{
		.id = EXPERIMENT_PCP,
		.word = { "pcp", "ways of keeping pages per CPU, and messages that use them" },
	},
	{
		.id = EXPERIMENT_FREE,
		.word = { "free", "ways of freeing a huge mapping in parallel" },
	},
};

enum { ROWS = sizeof(table) / sizeof(table[0]) };

static const struct experiment *row_of(uint32_t id)
{
	const struct experiment *row = table;

	while (row < table + ROWS - 1 && row->id != id)
		row++;
	return row;
}

static const struct word *word_at(uint32_t id)
{
	return &row_of(id)->word;
}

static bool is_unasked(uint32_t id)
{
	return row_of(id)->unasked;
}

const struct word_list experiment_words = { EXPERIMENT_COUNT, word_at, .unasked = is_unasked };
