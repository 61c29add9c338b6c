/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One measurement of the workload `stream`. */
#include "lab/alloc/stream_state.h"

/* Messages of stream_sizes[size] for a slice, under the way that the allocator was initialised
 * with. What is wrong, in one clause, or NULL. */
const char *stream_measure(struct stream_state *s, const struct stream_setting *setting,
			   uint32_t size, struct stream_sample *sample);
