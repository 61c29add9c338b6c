/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the experiments on the page allocator have in common. */
#include "experiments/laboratory.h"

/* Reports a free that the allocator refused; what is wrong, in one clause. */
const char *alloc_refused(struct laboratory *laboratory);

/* The beginning of an experiment, and its end, where what disturbed the boot CPU is reported. */
void alloc_begin(struct laboratory *laboratory);
void alloc_end(const struct laboratory *laboratory);
