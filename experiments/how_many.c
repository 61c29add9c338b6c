/* SPDX-License-Identifier: GPL-2.0-only */
/* How many workers? The answer of every rule, from all that was measured. */
#include "experiments/how_many.h"

#include "experiments/experiment.h"
#include "experiments/laboratory.h"
#include "report/init/stores.h"
#include "report/workers/worker_advice.h"
#include "report/workers/how_many.h"

bool asks_how_many(const struct options *options)
{
	bool asked = options->experiment_chosen[EXPERIMENT_BANDWIDTH];

	for (int policy = 0; policy < POLICY_COUNT; policy++)
		asked |= options->policy_chosen[policy] &&
			 policy_rule((enum policy)policy)->how_many;
	return asked;
}

static const char *describe(struct laboratory *laboratory)
{
	report_how_many(laboratory->report, &laboratory->worker_verdict,
			&laboratory->calibration);
	report_advice(laboratory->report, &laboratory->worker_verdict);
	report_best_stores(laboratory->report, &laboratory->store_trials);
	return NULL;
}

const struct experiment experiment_how_many = {
	.id = EXPERIMENT_COUNT,
	.word = { "how-many", "what each rule for numbers of workers comes to" },
	.wanted = asks_how_many,
	.describe = describe,
};
