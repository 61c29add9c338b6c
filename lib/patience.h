/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The bound of a wait, in time that the waiter has lived through. A whole machine may stand still
 * (a paused guest, a debugger, a host that sleeps) while its clock goes on: whoever waited finds
 * that much time has passed in which nobody could have done anything. So the time between two looks
 * counts for a PATIENCE_LOOKS-th of the whole at most.
 *
 *	looks      |  |  |  |                      |  |  |
 *	clock    --+--+--+--+----------------------+--+--+-->
 *	counted     1  1  1        a 16th of all     1  1
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/minmax.h"

enum { PATIENCE_LOOKS = 16 };

struct patience {
	uint64_t cycles, left; /* of the clock that `now` is read from */
	uint64_t last_tsc;     /* the last look */
};

/* `cycles` from `now` on. */
static inline void patience_begin(struct patience *patience, uint64_t now, uint64_t cycles)
{
	*patience = (struct patience){ cycles, cycles, now };
}

/* A look, at `now`: true when the time is up, for which it takes PATIENCE_LOOKS at least. A clock
 * that went back counts as a pause. */
static inline bool patience_over(struct patience *patience, uint64_t now)
{
	uint64_t passed = min_u64(now - patience->last_tsc, patience->cycles / PATIENCE_LOOKS + 1);

	patience->last_tsc = now;
	patience->left = saturating_sub_u64(patience->left, passed);
	return patience->left == 0;
}
