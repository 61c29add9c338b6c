/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Memory as an operating system has it after boot. */
#include "lab/input.h"
#include "lab/run/sample.h"

/* One run of policy `zone`, checked as every run of experiment `init`. See
 * lab/input.h. False: it could not start, or `run` is not good. */
uint64_t fill_bytes(const struct lab_input *input, uint32_t extra_reserved);
bool fill_run(const struct lab_input *input, void *memory, uint64_t bytes,
	      struct run_sample *run);
