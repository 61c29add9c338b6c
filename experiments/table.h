/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* All experiments and the steps that they need. */
#include "experiments/experiment.h"

/* In the order in which they run; a NULL ends it. */
extern const struct experiment *const all_experiments[];

/* The words of run=, by enum experiment_id. */
extern const struct word_list experiment_words;
