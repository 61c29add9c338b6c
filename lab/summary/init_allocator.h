/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The page allocator after the runs of one policy of the experiment `init`. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/init/init.h"
#include "lab/summary/verification.h"

struct init_allocator {
	enum policy policy;
	uint32_t runs, good;
	const struct allocator_sample *sample; /* of a good run, if possible of one in which all
						* memory was taken; NULL: there is none */
};

/* `verdicts`: as results->runs. */
struct init_allocator init_allocator(const struct init_results *results,
				     const struct run_verdict *verdicts, enum policy policy);
