/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What one run is to be. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/inject_words.h"
#include "mm/init/plan.h"
#include "mm/init/policy.h"

struct run_request {
	const struct init_plan *plan;
	enum policy policy;
	uint32_t repetition;
	enum inject inject;
	bool cold;      /* nothing is poisoned first */
	bool exercise;  /* all memory is allocated and given back, twice */
	bool first_use; /* all memory is allocated as single pages, timed */
	bool grow;      /* nodes are grown before the workers start */
};
