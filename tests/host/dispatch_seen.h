/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Jobs whose function notes the chunks that it is given, and shapes for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "smp/dispatch/dispatch.h"
#include "tests/host/random.h"

typedef unsigned __int128 u128;

static uint64_t seed = 0x9e3779b97f4a7c15ull;

/* What a job's function saw, one thread at a time. */
struct seen {
	struct claim chunks[4096];
	uint64_t count, units;
};

static void note_chunk(void *argument, uint64_t start, uint64_t end)
{
	struct seen *seen = argument;

	assert_true(start < end);
	assert_true(seen->count < 4096);
	seen->chunks[seen->count++] = (struct claim){ start, end, 0 };
	seen->units += end - start;
}

static struct seen *seen_new(void)
{
	return test_calloc(1, sizeof(struct seen));
}
