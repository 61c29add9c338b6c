/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A deterministic generator (xorshift64*): the same seed gives the same numbers. */
#include <stdint.h>

/* The next number; never 0 for a seed other than 0. */
uint64_t random_u64(uint64_t *seed);

/* Puts `count` items into random order. */
void random_shuffle(uint32_t *items, uint32_t count, uint64_t *seed);
