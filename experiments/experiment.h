/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the lab can do, as data: experiments, which `run=` names, and steps that these need. All
 * work in the same memory, one after the other. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/experiment_id.h"
#include "lab/options.h"
#include "lib/words.h"

struct laboratory; /* experiments/laboratory.h */

struct experiment {
	enum experiment_id id; /* EXPERIMENT_COUNT: a step, which run= does not name */
	struct word word;      /* as in run=, and what it is */
	bool unasked;          /* runs where the user names no experiment */
	/* Whether it runs; NULL: where run= names it. */
	bool (*wanted)(const struct options *options);
	/* Bytes of memory that run needs, at most; the stores are not chosen yet. NULL: none. */
	uint64_t (*needs)(const struct laboratory *laboratory);
	/* In laboratory->memory, which it may fill; what describe needs of it lies there until the
	 * next one runs. False: no CPU could work, or a table was too small. NULL: nothing runs. */
	bool (*run)(struct laboratory *laboratory);
	/* Judges what was measured. NULL: run or describe does. */
	void (*summarise)(struct laboratory *laboratory);
	/* Reports it. NULL, or what is wrong, in one clause: then nothing more runs. */
	const char *(*describe)(struct laboratory *laboratory);
	const char *not_started; /* what cannot be done where run says false */
	const char *passed;      /* the verdict where more is checked than struct pages; or NULL */
};

/* In the order in which they run. */
extern const struct experiment experiment_stores;     /* experiments/stores.c */
extern const struct experiment experiment_bandwidth;
extern const struct experiment experiment_calibration;
extern const struct experiment experiment_init;
extern const struct experiment experiment_sweep;
extern const struct experiment experiment_comparison;
extern const struct experiment experiment_how_many;
extern const struct experiment experiment_fill;
extern const struct experiment experiment_pcp;
extern const struct experiment experiment_stream;
extern const struct experiment experiment_free;
