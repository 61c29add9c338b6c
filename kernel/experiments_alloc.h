/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiments on the page allocator, after memory has been filled once more. */
#include "kernel/experiments.h"
#include "lab/input.h"

/* Bytes that those need which the command line chose. */
uint64_t experiments_alloc_bytes(const struct experiments *experiments,
				 const struct lab_input *input, uint32_t extra_reserved);

/* As experiments_run. `input` as for experiment `init`. */
const char *experiments_alloc_run(const struct experiments *experiments,
				  const struct lab_input *input, void *memory, uint64_t bytes);
