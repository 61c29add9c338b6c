/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/policy_workers.h"

#include <stddef.h>

#include "lib/string.h"

void rule_numbers_find(struct rule_numbers *numbers, const struct worker_facts *facts)
{
	memset(numbers, 0, sizeof(*numbers));
	for (int rule = 0; rule < RULE_COUNT; rule++)
		for (uint32_t node = 0; node < facts->topology->node_count; node++) {
			struct worker_count *count = &numbers->counts[rule][node];

			*count = worker_rules_count(facts, (enum worker_rule)rule, node);
			numbers->workers[rule][node] = count->workers;
		}
}

const uint32_t *rule_numbers_for(const struct rule_numbers *numbers, enum policy policy)
{
	const struct policy_rule *rule = policy_rule(policy);

	return rule->workers == WORKERS_GIVEN ? numbers->workers[rule->rule] : NULL;
}
