/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What a message asks of the page allocator: why there is a gain or none. */
#include "report/report.h"
#include "lab/alloc/stream.h"

/* Of one setting: the counters under all ways. */
void report_stream_counters(const struct report *report, const struct stream_results *results,
			    uint32_t setting);
