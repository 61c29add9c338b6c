/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The enums that fields of the experiment `init` have as words. */
#include "mm/init/policy.h"
#include "mm/init/store.h"
#include "report/field.h"

#define POLICY_WORDS WORDS(policy_name, POLICY_COUNT)
#define STORE_WORDS WORDS(store_name, STORE_COUNT)
