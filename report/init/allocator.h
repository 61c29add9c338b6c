/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The page allocator after every run of the experiment `init`. */
#include "report/init/parts.h"

/* What the page allocator must be after every run, and was. */
void report_allocator(struct report *report, const struct init_results *results);

bool report_allocator_good(const struct run_sample *run);

/* What is wrong with its page allocator, one line per fault. */
void report_explain_allocator(const struct report *report, const struct run_sample *run);

/* The run in which the nodes were grown. Nothing where there was none. */
void report_growth(struct report *report, const struct init_growth *growth);
