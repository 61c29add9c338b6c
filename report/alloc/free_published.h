/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The figures that were published, and those of this machine beside them. */
#include "report/report.h"
#include "lab/alloc/free.h"

/* The published rows beside those of this machine. */
void report_free_published(const struct report *report, const struct free_results *results);
