/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/stores.h"

#include "lib/page_units.h"
#include "mm/machine/page.h"

bool store_row(const struct store_trials *trials, uint32_t kind, enum store store,
	       struct store_row *row)
{
	const struct store_trial *of_kind = trials->trials[kind];
	const struct store_choice *best = &trials->best[kind];

	*row = (struct store_row){
		.kind = kind,
		.store = store,
		.trial = of_kind[store],
		.best_alone_cycles = of_kind[best->alone].alone_cycles,
		.best_with_free_cycles = of_kind[best->with_free].with_free_cycles,
	};
	return row->trial.with_free_cycles != 0;
}

bool store_nothing_deferred(const struct store_trials *trials)
{
	if (!trials->tried || !trials->verified)
		return false;
	for (uint32_t kind = 0; kind < trials->kind_count; kind++)
		for (int store = 0; store < STORE_COUNT; store++)
			if (trials->trials[kind][store].with_free_cycles)
				return false;
	return true;
}

bool store_same_on_all_kinds(const struct store_choice *choices, uint32_t kind_count)
{
	for (uint32_t kind = 1; kind < kind_count; kind++)
		if (choices[kind].alone != choices[0].alone ||
		    choices[kind].with_free != choices[0].with_free)
			return false;
	return true;
}

enum store_advice store_advice(const struct store_trials *trials, uint32_t descriptor_bytes)
{
	if (descriptor_bytes != STRUCT_PAGE_BYTES)
		return STORES_HAVE_NO_CHOICE;
	if (store_nothing_deferred(trials))
		return STORES_WITHOUT_TIMES;
	if (!trials->tried)
		return STORES_UNTRIED;
	return trials->for_best ? STORES_BEST_APART : STORES_BEST;
}
