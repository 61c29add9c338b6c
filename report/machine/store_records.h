/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Records of the store kernels: what was asked for, what is used, on which kind of core. */
#include "lab/init/stores.h"
#include "report/field.h"

/* The rows of the last one are of struct store_row, and its first field is the kind of core. */
extern const struct record_type store_record, core_kind_record, store_trial_record;

/* `list`: the names of those that all CPUs have. */
void report_store_records(struct report *report, const struct store_trials *trials,
			  const struct topology *topology, const char *list);
