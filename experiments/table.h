/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* All experiments and the steps that they need. */
#include "experiments/experiment.h"

enum { EXPERIMENTS = 11 };

/* In the order in which they run. */
extern const struct experiment *const all_experiments[EXPERIMENTS];

/* The words of run=, by enum experiment_id. */
extern const struct word_list experiment_words;
