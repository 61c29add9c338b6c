/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The two sides. */
#include "lab/alloc/stream_state.h"

/* What worker `index` of a struct stream_state does: even ones send, odd ones receive. */
void stream_work(void *argument, uint32_t index);

/* Both on one CPU. */
void stream_work_alone(void *argument, uint32_t index);
