/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/progress.h"

#include "experiments/table.h"
#include "lib/format.h"
#include "lib/page_units.h"
#include "report/progress.h"

static void name_step(char *name, size_t size, const struct lab_progress *progress)
{
	const char *experiment = word_name(&experiment_words, progress->experiment);

	if (progress->trial)
		format(name, size, "trial of store=%s", progress->trial);
	else if (progress->way)
		format(name, size, "%s, %s", experiment, progress->way);
	else if (progress->chunk_pages)
		format(name, size, "%s, chunks of %llu MiB", experiment,
		       progress->chunk_pages * PAGE_BYTES >> 20);
	else if (progress->workers)
		format(name, size, "%s, %u workers a node", experiment, progress->workers);
	else
		format(name, size, "policy %s%s", policy_name(progress->policy),
		       progress->cold ? ", cold" : "");
}

void show_progress(void *laboratory, const struct lab_progress *progress)
{
	const struct laboratory *l = laboratory;
	char name[48];

	name_step(name, sizeof(name), progress);
	report_progress(l->report, name, progress->index, progress->count,
			l->machine->now(l->machine->context));
}
