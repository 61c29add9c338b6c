/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the page allocator must be like after a run. */
#include "lab/run/sample.h"
#include "lab/run/state.h"

/* Census, pageblocks, counters. True: all as they must be. */
bool lab_check_allocator(struct lab *lab, struct allocator_sample *sample);

/* What the request wants done with an allocator that is as it must be; true: it stays so. */
bool lab_try_allocator(struct lab *lab, struct run_sample *run);
