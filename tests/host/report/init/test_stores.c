/* SPDX-License-Identifier: GPL-2.0-only */
/* The choice of store kernels as it is told: lines, table, records. */
#include "lab/summary/stores.h"
#include "report/init/stores.h"
#include "report/opening.h"
#include "tests/host/report_rows.h"

enum { HZ = 2000000000 };

static struct store_trials trials;

static const struct store_features sse2 = { .leaf1_edx = 1u << 26 };
static const struct store_features everything = {
	.leaf1_ecx = 1u << 27 | 1u << 28,
	.leaf1_edx = 1u << 26,
	.leaf7_ebx = 1u << 5 | 1u << 16,
	.leaf7_ecx = 1u << 28,
	.leaf80000008_ebx = 1u << 0,
	.xcr0 = 0xe7,
};

static void run_report(void)
{
	make_lab(1, 1, GIB_PAGES, HZ);
	start();
	report_open(&report, &sink, &lab.options);
	report_run(&report, &lab.facts, &lab.options);
	report_stores(&report, &trials, &lab.topology);
}

static void what_was_asked_for(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_CLZERO, .has = everything,
					.given = true, .kind_count = 1,
					.choice = { { STORE_CLZERO, STORE_CLZERO } },
					.best = { { STORE_CLZERO, STORE_CLZERO } } };
	run_report();
	assert_true(has_table("stores of struct pages: clzero"));
	assert_record("{'type':'store'}",
		      "{'asked':'clzero','given':true,'refused':false,'alone':'clzero',"
		      "'with_free':'clzero','best_alone':'clzero','best_with_free':'clzero',"
		      "'tried':false,'has':'plain, linux, template, stosq, nti, nt128, nt256, "
		      "nt512, v256, v512, movdir64b, clzero'}");
	assert_int_equal(count("store_trial"), 0);
	assert_int_equal(count("anomaly"), 0);
}

static void add_kind_trial(uint32_t kind, enum store store, uint64_t alone_us,
			   uint64_t with_free_us)
{
	trials.trials[kind][store] = (struct store_trial){ alone_us * (HZ / 1000000),
						     with_free_us * (HZ / 1000000) };
}

static void add_trial(enum store store, uint64_t alone_us, uint64_t with_free_us)
{
	add_kind_trial(0, store, alone_us, with_free_us);
}

static void refused_by_name_and_tried(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_NT512, .has = sse2, .refused = true,
					.tried = true, .kind_count = 1,
					.choice = { { STORE_NTI, STORE_PLAIN } },
					.best = { { STORE_NTI, STORE_PLAIN } } };
	add_trial(STORE_PLAIN, 3000, 4000);
	add_trial(STORE_LINUX, 3300, 4400);
	add_trial(STORE_NTI, 1500, 6000);
	run_report();
	assert_true(says("not every CPU has AVX-512F")); /* by its own name */
	assert_true(has_row("stores of struct pages", "plain 3.000 2.00 4.000 1.00"));
	assert_true(has_row("stores of struct pages", "nti 1.500 1.00 6.000 1.50"));
	assert_record("{'type':'anomaly'}",
		      "{'table':'cmdline','offset':0,'reason':'not every CPU has this store',"
		      "'value':7,'word':'store=nt512'}");
	assert_record("{'type':'store'}",
		      "{'asked':'nt512','given':false,'refused':true,'alone':'nti',"
		      "'with_free':'plain','best_alone':'nti','best_with_free':'plain',"
		      "'tried':true}");
	assert_record("{'type':'store_trial','store':'linux'}",
		      "{'kind':0,'alone_cycles':6600000,'with_free_cycles':8800000}");
	assert_int_equal(count("store_trial"), 3);
	assert_int_equal(count("anomaly"), 1);
}

static void refused_with_nothing_to_try(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_MOVDIR64B, .has = sse2, .refused = true,
					.kind_count = 1 };
	run_report();
	assert_true(has_table("stores of struct pages: plain"));
	assert_true(says("not every CPU has MOVDIR64B"));
	assert_record("{'type':'store'}", "{'asked':'movdir64b','refused':true,'alone':'plain',"
					  "'with_free':'plain','tried':false}");
}

static void auto_is_a_wish_too(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_AUTO, .has = sse2, .tried = true,
					.kind_count = 1,
					.choice = { { STORE_NT128, STORE_NT128 } },
					.best = { { STORE_NT128, STORE_NT128 } } };
	add_trial(STORE_NT128, 1, 1);
	run_report();
	assert_true(has_table("stores of struct pages: nt128"));
	assert_record("{'type':'store'}", "{'asked':'auto','given':false,'refused':false,"
					  "'alone':'nt128','with_free':'nt128'}");
	assert_int_equal(store_advice(&trials, 64), STORES_BEST);
	report_best_stores(&report, &trials);
}

/* Policies that want the best, by the user's word and without it. */
static void what_policy_auto_uses(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_PLAIN, .has = sse2, .tried = true,
					.kind_count = 1, .best_wanted = true, .for_best = true,
					.best = { { STORE_NTI, STORE_TEMPLATE } } };
	add_trial(STORE_PLAIN, 3000, 4000);
	add_trial(STORE_NTI, 1500, 6000);
	add_trial(STORE_TEMPLATE, 4500, 3200);
	run_report();
	assert_true(has_table("stores of struct pages: plain"));
	assert_true(has_table("Policy auto uses the fastest: nti where only initialised"));
	assert_true(has_row("stores of struct pages", "plain 3.000 2.00 4.000 1.25"));
	assert_record("{'type':'store'}",
		      "{'alone':'plain','with_free':'plain','best_alone':'nti',"
		      "'best_with_free':'template','tried':true}");
	assert_int_equal(store_advice(&trials, 64), STORES_BEST_APART);
	report_best_stores(&report, &trials);
	trials = (struct store_trials){ .wish = STORE_PLAIN, .given = true, .has = sse2,
					.kind_count = 1, .best_wanted = true };
	run_report();
	assert_true(has_table("Policy auto uses it, too: store=plain"));
	assert_int_equal(store_advice(&trials, 64), STORES_UNTRIED);
	report_best_stores(&report, &trials);
	assert_int_equal(store_advice(&trials, 16), STORES_HAVE_NO_CHOICE);
	report.descriptor_bytes = 16;
	report_best_stores(&report, &trials);
}

/* Too little RAM to defer any: the trials ran, and took no time that counts. */
static void nothing_to_time(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_PLAIN, .has = sse2, .tried = true,
					.verified = true, .kind_count = 1, .best_wanted = true,
					.for_best = true };
	run_report();
	report_best_stores(&report, &trials);
	assert_true(store_nothing_deferred(&trials));
	assert_int_equal(store_advice(&trials, 64), STORES_WITHOUT_TIMES);
	assert_true(has_table("Nothing is deferred"));
	assert_false(says("fastest") || says("init alone"));
	trials.verified = false; /* then it is not known why there are no times */
	assert_false(store_nothing_deferred(&trials));
	run_report();
	assert_false(has_table("Nothing is deferred"));
	assert_true(says("init alone"));
}

/* An odd machine: its kinds of core have different winners. */
static void kinds_of_core(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_AUTO, .given = true, .has = sse2,
					.tried = true, .kind_count = 2,
					.choice = { { STORE_NTI, STORE_PLAIN },
						    { STORE_STOSQ, STORE_STOSQ } } };
	memcpy(trials.best, trials.choice, sizeof(trials.best));
	add_kind_trial(0, STORE_PLAIN, 3000, 4000);
	add_kind_trial(0, STORE_NTI, 1500, 6000);
	add_kind_trial(0, STORE_STOSQ, 6000, 8000);
	add_kind_trial(1, STORE_PLAIN, 9000, 9600);
	add_kind_trial(1, STORE_STOSQ, 3000, 3200);
	make_lab(1, 1, GIB_PAGES, HZ);
	start();
	lab.topology.kind_count = 2;
	lab.topology.kinds[0] = (struct core_kind){ { 6, 151, 0x40000001 }, 16 };
	lab.topology.kinds[1] = (struct core_kind){ { 6, 151, 0x20000001 }, 8 };
	report_open(&report, &sink, &lab.options);
	report_run(&report, &lab.facts, &lab.options);
	report_stores(&report, &trials, &lab.topology);
	assert_true(has_table("stores of struct pages: by the kind of core"));
	assert_true(has_row("stores of struct pages", "0 plain 3.000 2.00 4.000 1.00"));
	assert_true(has_row("stores of struct pages", "1 plain 9.000 3.00 9.600 3.00"));
	assert_true(has_table("Kind 0 (family 6, model 151, type 0x40000001; 16 CPUs): nti where "
			      "only initialised, plain"));
	assert_true(has_table("Kind 1 (family 6, model 151, type 0x20000001; 8 CPUs): stosq."));
	assert_record("{'type':'core_kind','kind':0}",
		      "{'cpus':16,'alone':'nti','with_free':'plain'}");
	assert_record("{'type':'core_kind','kind':1}",
		      "{'family':6,'model':151,'core_type':536870913,'cpus':8,'alone':'stosq',"
		      "'with_free':'stosq'}");
	assert_int_equal(count("store_trial"), 5);
	assert_false(store_same_on_all_kinds(trials.best, 2));
	assert_true(store_same_on_all_kinds(trials.best, 1));
	report_best_stores(&report, &trials);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_asked_for),
		cmocka_unit_test(refused_by_name_and_tried),
		cmocka_unit_test(refused_with_nothing_to_try),
		cmocka_unit_test(auto_is_a_wish_too),
		cmocka_unit_test(what_policy_auto_uses),
		cmocka_unit_test(nothing_to_time),
		cmocka_unit_test(kinds_of_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
