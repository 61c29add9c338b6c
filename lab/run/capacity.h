/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How much the runs of an experiment may need: bounds for their tables. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/input.h"

enum { PASSES_MAX = 2 };

/* What the runs of an experiment differ in, as far as memory is concerned. */
struct lab_needs {
	uint64_t chunk_pages; /* the smallest exact size; 0: all by the rules */
	uint32_t passes;
	bool background;
};

struct lab_capacity {
	uint64_t spans;
	uint32_t jobs, visits;   /* of one plan */
	uint64_t claims;         /* of one pass */
	uint32_t passes;
	uint32_t cpus, nodes, kinds;
	uint64_t bitmap_words;   /* 0: too much memory to be taken frame by frame */
	uint64_t latencies;
};

/* Of a bitmap of all frames, with which everything can be taken frame by frame: up to 64 GiB of RAM
 * within 512 GiB. 0: there is more. */
uint64_t lab_bitmap_words(const struct topology *topology);

/* Bounds taken before the reservations are final: `extra_reserved` more ranges are allowed for. */
void lab_capacity(const struct lab_input *input, uint32_t extra_reserved,
		  const struct lab_needs *needs, struct lab_capacity *capacity);
