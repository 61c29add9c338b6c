/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What a long experiment is at, for the user. */
#include "experiments/laboratory.h"

/* For lab_input and alloc_input; `laboratory` is a struct laboratory. */
void show_progress(void *laboratory, const struct lab_progress *progress);
