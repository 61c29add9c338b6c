/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which way of freeing is best for which mapping, by how much, and how sure that is. */
#include "report/report.h"
#include "lab/alloc/free.h"
#include "lab/summary/free_verdict.h"

void report_free_verdict(const struct report *report, const struct free_results *results,
			 const struct free_verdict *verdict);
