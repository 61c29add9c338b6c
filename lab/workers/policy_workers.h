/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What every rule says of every node: the numbers that the policies are told, and that the
 * comparison runs. */
#include <stdint.h>

#include "lib/limits.h"
#include "mm/init/policy.h"
#include "mm/init/worker_rules.h"

/* Large: its owner is static. */
struct rule_numbers {
	struct worker_count counts[RULE_COUNT][NODE_MAX]; /* with what they rest on */
	uint32_t workers[RULE_COUNT][NODE_MAX];           /* the numbers alone */
};

void rule_numbers_find(struct rule_numbers *numbers, const struct worker_facts *facts);

/* Per node, for a policy that is told its numbers (WORKERS_GIVEN); NULL: the policy has its own. */
const uint32_t *rule_numbers_for(const struct rule_numbers *numbers, enum policy policy);
