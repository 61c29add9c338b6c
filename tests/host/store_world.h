/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Trials of store kernels on the usual machine. */
#include "lab/init/stores.h"
#include "lab/run/timed_run.h"
#include "tests/host/odd_machine.h"

/* CPUs with SSE2 and nothing more: seven kernels less, and what every host has. */
static const struct store_features poor = { .leaf1_edx = 1u << 26 };
static const enum store poor_stores[] = { STORE_PLAIN, STORE_LINUX, STORE_TEMPLATE,
					  STORE_STOSQ, STORE_NTI,   STORE_NT128 };
enum { POOR = sizeof(poor_stores) / sizeof(poor_stores[0]) };

/* Poison, workers, oracle. */
enum { CALLS_PER_RUN = 3, CALL_ORACLE = 3 };

static struct store_trials trials;

static inline bool try(struct world *w, const struct store_features *has)
{
	world_memory(w, store_trial_bytes(&w->input, has, 0));
	return store_trial_run(&w->input, has, w->memory, w->bytes, &trials);
}

static inline struct world *world_with(enum store wish)
{
	struct world *w = world_usual();

	w->options.store = wish;
	return w;
}
