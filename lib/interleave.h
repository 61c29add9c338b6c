/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * In which order to run what is compared, round after round, so that nothing always runs after the
 * same neighbour: rounds of a Williams design [E. J. Williams, Australian Journal of Scientific
 * Research A 2, 1949]. In `count` rounds (2 * count where it is odd) everything has followed
 * everything else equally often inside a round, and stood at every place equally often.
 */
#include <stdint.h>

/* What has its turn at `place` (below `count`) of `round` (from 0). Round 0 begins with 0. */
uint32_t interleave(uint32_t count, uint32_t round, uint32_t place);
