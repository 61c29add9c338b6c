/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The enums that fields of the experiment `init` have as words. */
#include "lab/options.h"
#include "mm/init/policy.h"
#include "mm/init/store.h"
#include "report/field.h"

static inline const char *store_name(enum store store)
{
	return store_kernel(store)->name;
}

#define POLICY_WORDS WORDS(policy_name, POLICY_COUNT)
#define STORE_WORDS WORDS(store_name, STORE_COUNT)
