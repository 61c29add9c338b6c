/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which way of freeing is best for which mapping, by how much, and how sure that is. */
#include "report/alloc/free.h"

/* Which way is how much faster than which, with intervals. */
void report_free_verdict(struct report *report, const struct free_results *results);
