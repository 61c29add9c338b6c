/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the trials of store kernels come to. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/stores.h"

/* One store kernel on one kind of core, beside the best of each column on that kind. */
struct store_row {
	uint32_t kind;
	enum store store;
	struct store_trial trial;
	uint64_t best_alone_cycles, best_with_free_cycles;
};

/* False where that kernel was not tried on that kind. */
bool store_row(const struct store_trials *trials, uint32_t kind, enum store store,
	       struct store_row *row);

/* The trials ran, and there was too little RAM for any of it to be deferred: no times. */
bool store_nothing_deferred(const struct store_trials *trials);

/* Whether `choices`, one per kind of core, are all the same. */
bool store_same_on_all_kinds(const struct store_choice *choices, uint32_t kind_count);

/* What is to be said of the stores after the runs. */
enum store_advice {
	STORES_HAVE_NO_CHOICE, /* descriptors of another size than a struct page have their loop */
	STORES_WITHOUT_TIMES,  /* store_nothing_deferred */
	STORES_UNTRIED,
	STORES_BEST_APART,     /* policy auto had the best, the others what was asked for */
	STORES_BEST            /* all ran with the best */
};
enum store_advice store_advice(const struct store_trials *trials, uint32_t descriptor_bytes);
