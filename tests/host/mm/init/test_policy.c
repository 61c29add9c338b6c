/* SPDX-License-Identifier: GPL-2.0-only */
/* The table against what the field notes say of each generation, and the sizing rules that follow
 * from it on machines whose figures were published. */
#include "mm/init/policy.h"
#include "smp/dispatch/dispatch.h"
#include "tests/host/plan_fixture.h"

static const struct policy_rule *rule(enum policy policy)
{
	return policy_rule(policy);
}

static void each_generation_has_its_rule(void **state)
{
	static const enum policy_workers workers[POLICY_COUNT] = {
		WORKERS_BOOT, WORKERS_ONE, WORKERS_OF_CPUS, WORKERS_OF_CPUS, WORKERS_OF_CPUS,
		WORKERS_OF_CPUS, WORKERS_OF_CPUS, WORKERS_OF_CPUS, WORKERS_GIVEN, WORKERS_GIVEN,
		WORKERS_GIVEN,
	};
	static const enum worker_rule counts[POLICY_COUNT] = {
		[POLICY_KTASK] = RULE_QUARTER, [POLICY_PADATA] = RULE_ALL,
		[POLICY_ZONE] = RULE_ALL, [POLICY_LAZY] = RULE_ALL, [POLICY_ASYNC] = RULE_ALL,
		[POLICY_CORES] = RULE_CORES, [POLICY_HMAT] = RULE_HMAT,
		[POLICY_CALIBRATED] = RULE_CALIBRATED, [POLICY_AUTO] = RULE_AUTO,
	};

	(void)state;
	for (int i = 0; i < POLICY_COUNT; i++) {
		enum policy p = (enum policy)i;
		bool per_range = p == POLICY_NODE || p == POLICY_KTASK || p == POLICY_PADATA;

		assert_int_equal(rule(p)->workers, workers[p]);
		assert_int_equal(rule(p)->rule, counts[p]);
		assert_int_equal(rule(p)->jobs, per_range ? JOB_PER_RANGE : JOB_PER_ZONE);
		assert_int_equal(rule(p)->passes, p == POLICY_KTASK ? PASS_TWO :
						  p == POLICY_LAZY  ? PASS_LAZY :
								      PASS_FUSED);
		assert_int_equal(rule(p)->count_at_end, p == POLICY_KTASK);
		assert_int_equal(rule(p)->background, p == POLICY_ASYNC);
		assert_int_equal(rule(p)->best_stores, p == POLICY_AUTO);
		assert_int_equal(rule(p)->shares, p == POLICY_AUTO);
	}
}

/* One node of `sections` deferred sections and `cpus` CPUs under a policy: its job's size. */
static struct job_state size_node(enum policy policy, uint64_t sections, uint32_t cpus)
{
	struct job_state job;

	clear(NULL);
	hand_nodes(&topology, 1);
	hand_cpus(&topology, 0, cpus);
	hand_ram(&topology, 32 * S, (33 + sections) * S, 0);
	rules.policy = policy;
	build();
	assert_int_equal(plan->job_count, 1);
	dispatch_prepare(&job, &plan->jobs[0].job);
	return job;
}

/* Chunks of the job, counted from its start: 3072 sections by 52 threads in 15 sections each. */
static void padata_on_published_machines(void **state)
{
	struct job_state job = size_node(POLICY_PADATA, 3072, 52);

	(void)state;
	assert_int_equal(job.workers, 52);
	assert_int_equal(job.chunk, 15 * S);
	assert_in_range(job.chunk_count, 205, 206); /* 33 is no multiple of 15 */
	job = size_node(POLICY_ZONE, 512, 16);
	assert_int_equal(job.chunk, 8 * S);
	job = size_node(POLICY_ASYNC, 32, 4 + 1); /* the boot CPU does something else */
	assert_int_equal(job.workers, 4);
	assert_int_equal(job.chunk, 2 * S);
	assert_int_equal(size_node(POLICY_PADATA, 1, 2).workers, 1);
	assert_int_equal(size_node(POLICY_PADATA, 2, 2).workers, 2);
}

/* 44 CPUs per node made 11 threads, 36 made 9 [ktask RFC v4]. */
static void ktask_on_published_machines(void **state)
{
	struct job_state job = size_node(POLICY_KTASK, 2012, 44);

	(void)state;
	assert_int_equal(job.workers, 11);
	assert_int_equal(job.chunk, 46 * S); /* ceil(2012 / 44) */
	assert_int_equal(size_node(POLICY_KTASK, 1000, 36).workers, 9);
	assert_int_equal(size_node(POLICY_KTASK, 1000, 3).workers, 1);
}

static void one_worker_each(void **state)
{
	(void)state;
	assert_int_equal(size_node(POLICY_SERIAL, 100, 8).workers, 1);
	assert_int_equal(size_node(POLICY_NODE, 100, 8).workers, 1);
	assert_int_equal(size_node(POLICY_NODE, 100, 8).chunk, 25 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_generation_has_its_rule),
		cmocka_unit_test(padata_on_published_machines),
		cmocka_unit_test(ktask_on_published_machines),
		cmocka_unit_test(one_worker_each),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
