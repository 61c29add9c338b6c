/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "lab/init/init.h"

/* The cold run, the first to touch the memmap since boot; NULL: there was none, or it timed out. */
const struct run_sample *init_cold_run(const struct init_results *results);
