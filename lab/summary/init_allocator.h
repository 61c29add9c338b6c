/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The page allocator after the runs of one policy of the experiment `init`. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init_run.h"

struct init_allocator {
	enum policy policy;
	uint32_t runs, good;
	const struct allocator_sample *sample; /* of a good run, if possible of one in which all
						* memory was taken; NULL: there is none */
};

struct init_allocator init_allocator(const struct init_results *results, enum policy policy);
