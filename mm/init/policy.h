/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The generations of memmap initialisation as data: what differs between them, in one table.
 * Sources and published figures are in docs/policies.md. */
#include <stdbool.h>

#include "lib/words.h"
#include "mm/init/worker_rules.h"

/* In the order of their history; docs/policies.md says what each is. */
enum policy {
	POLICY_SERIAL,
	POLICY_NODE,
	POLICY_KTASK,
	POLICY_PADATA,
	POLICY_ZONE,
	POLICY_LAZY,
	POLICY_ASYNC,
	POLICY_CORES,
	POLICY_HMAT,
	POLICY_CALIBRATED,
	POLICY_AUTO,
	POLICY_COUNT
};

enum policy_workers {
	WORKERS_BOOT,    /* the boot CPU does the nodes one after the other */
	WORKERS_ONE,     /* one per node, on that node */
	WORKERS_OF_CPUS, /* `rule` counts the node's CPUs */
	WORKERS_GIVEN,   /* `rule` needs more: init_rules' worker_counts have its numbers */
};

enum policy_jobs {
	JOB_PER_RANGE, /* a job per free range, its window ending on a section border */
	JOB_PER_ZONE,  /* one job for the whole deferred part of the node */
};

enum policy_passes {
	PASS_FUSED,  /* initialise and free 4 MiB at a time */
	PASS_TWO,    /* initialise everything, then free everything */
	PASS_LAZY,   /* initialise and free one struct page per 4 MiB block */
};

struct policy_rule {
	struct word word;
	bool unasked;      /* runs without a word about policies: the generations */
	enum policy_workers workers;
	enum worker_rule rule; /* WORKERS_OF_CPUS and WORKERS_GIVEN */
	enum policy_jobs jobs;
	enum policy_passes passes;
	bool count_at_end; /* managed pages are added up and counted once per node */
	bool background;   /* the boot CPU does not wait, and is no worker where there is another */
	bool best_stores;  /* the fastest store kernels, unless the user named one */
	bool how_many;     /* is about numbers of workers: the rules for them are compared */
	bool shares;       /* all nodes with the nearest CPUs serve one that has none */
};

extern const struct word_list policy_words;

const struct policy_rule *policy_rule(enum policy policy);

const char *policy_name(enum policy policy);
