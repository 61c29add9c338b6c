/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A free that must not be, on purpose. */
#include "lab/alloc/input.h"

/* Does what options->inject says, if that is a free that must not be: through the allocator, which
 * has been initialised, on the calling CPU. True: it was, and the allocator has noted the fault.
 * False also where there is no page to do it with. */
bool alloc_inject(const struct alloc_input *input);

/* The first frame of RAM that never was free, else the one after the last. */
uint64_t alloc_reserved_pfn(const struct alloc_input *input);
