/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The figures of the table from the samples. */
#include "lab/alloc/stream.h"

void stream_summarise(const struct stream_results *results, uint64_t tsc_hz, uint32_t setting,
		      uint32_t way, uint32_t size, struct stream_summary *summary);

/* Field by field. */
void stream_add_counters(struct stream_counters *sum, const struct stream_counters *one);

/* How much more than the baseline, in hundredths of a percent; 0 where one of them is unknown. */
int64_t stream_change(const struct stream_summary *summary);
