/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Gathers what the rules' numbers of workers gave. */
#include "report/workers/workers.h"

/* The rules' numbers; no times yet. */
void worker_verdict_begin(struct worker_verdict *verdict, const struct worker_facts *facts);

/* Their times, and the best. */
void worker_verdict_add(struct worker_verdict *verdict, struct report *report,
			const struct compare_results *results, uint32_t node_count);
