/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/policy.h"

static const struct policy_rule rules[POLICY_COUNT] = {
	[POLICY_SERIAL] = {
		.word = { "serial", "the boot CPU initialises one node after the other" },
		.unasked = true,
		.workers = WORKERS_BOOT, .jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
	},
	[POLICY_NODE] = {
		.word = { "node", "one worker per node, the baseline (Linux 4.2)" },
		.unasked = true,
		.workers = WORKERS_ONE, .jobs = JOB_PER_RANGE, .passes = PASS_FUSED,
	},
	[POLICY_KTASK] = {
		.word = { "ktask", "a quarter of the CPUs, in two passes (series of 2018)" },
		.unasked = true,
		.workers = WORKERS_OF_CPUS, .rule = RULE_QUARTER,
		.jobs = JOB_PER_RANGE, .passes = PASS_TWO,
		.count_at_end = true,
	},
	[POLICY_PADATA] = {
		.word = { "padata", "every CPU, a job per free range (Linux 5.8)" },
		.unasked = true,
		.workers = WORKERS_OF_CPUS, .rule = RULE_ALL,
		.jobs = JOB_PER_RANGE, .passes = PASS_FUSED,
	},
	[POLICY_ZONE] = {
		.word = { "zone", "every CPU, one job per zone (Linux 6.18)" },
		.unasked = true,
		.workers = WORKERS_OF_CPUS, .rule = RULE_ALL,
		.jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
	},
	[POLICY_LAZY] = {
		.word = { "lazy", "one struct page per 4 MiB block, the rest at first use" },
		.unasked = true,
		.workers = WORKERS_OF_CPUS, .rule = RULE_ALL,
		.jobs = JOB_PER_ZONE, .passes = PASS_LAZY,
	},
	[POLICY_ASYNC] = {
		.word = { "async", "as zone, but the boot CPU does not wait" },
		.unasked = true,
		.workers = WORKERS_OF_CPUS, .rule = RULE_ALL,
		.jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
		.background = true,
	},
	[POLICY_CORES] = {
		.word = { "cores", "as zone, one worker per physical core" },
		.workers = WORKERS_OF_CPUS, .rule = RULE_CORES,
		.jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
		.how_many = true,
	},
	[POLICY_HMAT] = {
		.word = { "hmat", "as zone, as many workers as the firmware's bandwidths say" },
		.workers = WORKERS_GIVEN, .rule = RULE_HMAT,
		.jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
		.how_many = true,
	},
	[POLICY_CALIBRATED] = {
		.word = { "calibrated", "as zone, as many workers as a measured curve says" },
		.workers = WORKERS_GIVEN, .rule = RULE_CALIBRATED,
		.jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
		.how_many = true,
	},
	[POLICY_AUTO] = {
		.word = { "auto", "calibrated, with the fastest stores; memory-only nodes shared" },
		.workers = WORKERS_GIVEN, .rule = RULE_AUTO,
		.jobs = JOB_PER_ZONE, .passes = PASS_FUSED,
		.best_stores = true, .shares = true,
		.how_many = true,
	},
};

const struct policy_rule *policy_rule(enum policy policy)
{
	return &rules[policy];
}

static const struct word *word_at(uint32_t policy)
{
	return &rules[policy].word;
}

static bool is_unasked(uint32_t policy)
{
	return rules[policy].unasked;
}

const struct word_list policy_words = { POLICY_COUNT, word_at, .unasked = is_unasked };

const char *policy_name(enum policy policy)
{
	return word_name(&policy_words, policy);
}
