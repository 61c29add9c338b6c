/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* All experiments. */
#include "experiments/experiment.h"

/* The words of run=, by enum experiment_id. */
extern const struct word_list experiment_words;
