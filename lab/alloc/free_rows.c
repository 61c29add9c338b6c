/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/free_rows.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/free_state.h"
#include "lib/minmax.h"

uint32_t free_settings(const struct options *options,
		       struct free_setting settings[FREE_SETTINGS_MAX])
{
	static const struct free_setting published[FREE_SETTINGS_MAX] = {
		{ .gather = BATCH_GATHER_DEFAULT, .max_active = BATCH_ACTIVE_DEFAULT },
		{ .gather = BATCH_GATHER_TUNED, .max_active = BATCH_ACTIVE_TUNED },
	};

	for (uint32_t i = 0; i < FREE_SETTINGS_MAX; i++)
		settings[i] = published[i];
	if (options->gather)
		settings[0].gather = options->gather;
	if (options->max_active)
		settings[0].max_active = options->max_active;
	return options->gather || options->max_active ? 1 : FREE_SETTINGS_MAX;
}

static void add(struct free_state *s, const struct free_row *row, uint32_t workers, uint32_t cpus)
{
	struct free_results *results = s->results;
	struct free_row *to = &results->rows[results->row_count];
	uint64_t *cycles = to->cycles;

	if (results->row_count == FREE_ROWS_MAX)
		return;
	*to = *row;
	to->cycles = cycles;
	to->workers = workers;
	to->cpus = cpus;
	results->row_count++;
}

/* 1, 2, 4 ... `most` workers beside `others`; only `most` in the group for comparison. */
static void add_steps(struct free_state *s, const struct free_row *row, uint32_t most,
		      uint32_t others, bool last_only)
{
	uint32_t workers = last_only ? most : crew_next(0, most);

	for (; workers; workers = crew_next(workers, most))
		add(s, row, workers, workers + others);
}

/* No more workers than there are CPUs beside the walker, and none who would find nothing to do. */
static void add_batch(struct free_state *s, struct free_row row, bool last_only)
{
	for (row.setting = 0; row.setting < s->results->setting_count; row.setting++) {
		const struct free_setting *setting = &s->results->settings[row.setting];
		uint32_t most = (uint32_t)min_u64(setting->max_active,
						  setting->chains[row.mapping]);

		add_steps(s, &row, min_u32(most, s->cpu_count - 1), 1, last_only);
	}
}

static void add_way(struct free_state *s, struct free_row row, bool last_only)
{
	switch (row.way) {
	case FREE_VANILLA:
		add(s, &row, 1, 1);
		break;
	case FREE_BATCH:
		add_batch(s, row, last_only);
		break;
	case FREE_PIECES:
		row.whole = true;
		add(s, &row, 1, 1);
		row.whole = false;
		add_steps(s, &row, s->cpu_count, 0, last_only);
		break;
	default:
		add_steps(s, &row, s->cpu_count, 0, last_only);
	}
}

static void add_mapping(struct free_state *s, enum mapping mapping, uint32_t fragment,
			bool last_only)
{
	struct free_row row = { .mapping = mapping, .fragment = fragment };

	if (!s->results->mappings[mapping].entries)
		return;
	for (int way = 0; way < FREE_COUNT; way++) {
		row.way = (enum free_way)way;
		if (way == FREE_VANILLA || s->input->options->free_chosen[way])
			add_way(s, row, last_only);
	}
}

void free_rows(struct free_state *s)
{
	const struct options *options = s->input->options;

	for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
		if (options->mapping_chosen[mapping])
			add_mapping(s, (enum mapping)mapping, options->fragment, false);
	s->results->group_end[FREE_ASKED_FOR] = s->results->row_count;
	if (!options->fragment && options->mapping_chosen[MAPPING_4K])
		add_mapping(s, MAPPING_4K, FREE_FRAGMENTED, true);
	s->results->group_end[FREE_COMPARISON] = s->results->row_count;
}
