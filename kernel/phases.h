/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How long each part of the boot took. */
#include <stdint.h>

#include "report/opening.h"

enum { PHASES_MAX = 16 };

struct phases {
	struct report_phase done[PHASES_MAX];
	uint32_t count;
	uint64_t first_tsc, start_tsc; /* of the first phase, of the one that runs */
};

void phases_begin(struct phases *phases, uint64_t first_tsc);

/* The phase that runs ends here, and the next one begins. */
void phase_done(struct phases *phases, const char *name);
