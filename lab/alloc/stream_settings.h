/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What there is to measure on a machine, in which order, and how long it may take. */
#include "lab/alloc/stream_state.h"

/* The settings, the most important first. False: there is no CPU. */
bool stream_find_settings(struct stream_state *s);

/* Sizes the slices, and says when all must be over, from `start_tsc` on. */
void stream_share_time(struct stream_state *s);

/* Whether one more setting would be done in time, if no slice had to be prolonged. */
bool stream_has_time(const struct stream_state *s);
void stream_begin_setting(struct stream_state *s);

/* For the next slice of the setting, in cycles: what is left of the setting's time is shared by
 * the slices that are left. One that does not count is not prolonged. */
uint64_t stream_longest_slice(struct stream_state *s, bool counts);
