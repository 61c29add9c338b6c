/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which ways run with how many workers. */
#include "lab/alloc/free_state.h"

/* The settings of batch that run, without their chains; returns how many. */
uint32_t free_settings(const struct options *options,
		       struct free_setting settings[FREE_SETTINGS_MAX]);

/* All rows, once sizes and CPUs are known. */
void free_rows(struct free_state *s);
