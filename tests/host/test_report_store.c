/* The choice of store kernels as it is told: lines, table, records. */
#include "tests/host/report_capture.h"

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
	report_stores(&report, &trials);
}

static void what_was_asked_for(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_CLZERO, .has = everything,
					.choice = { STORE_CLZERO, STORE_CLZERO } };
	run_report();
	assert_true(says("\nstores of struct pages: clzero\n"));
	assert_true(says("All CPUs have: plain, linux, template, stosq, nti, nt128, nt256, nt512, "
			 "v256, v512, movdir64b,\n    clzero.\n"));
	assert_true(says("\"type\":\"store\",\"asked\":\"clzero\",\"refused\":false,"
			 "\"alone\":\"clzero\",\"with_free\":\"clzero\",\"tried\":false,"
			 "\"has\":\"plain, linux, template, stosq, nti, nt128, nt256, nt512, "
			 "v256, v512, movdir64b, clzero\"}"));
	assert_int_equal(count("store_trial"), 0);
	assert_int_equal(count("anomaly"), 0);
}

static void add_trial(enum store store, uint64_t alone_us, uint64_t with_free_us)
{
	trials.trials[store] = (struct store_trial){ alone_us * (HZ / 1000000),
						     with_free_us * (HZ / 1000000) };
}

static void refused_by_name_and_tried(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_NT512, .has = sse2, .refused = true,
					.tried = true, .choice = { STORE_NTI, STORE_PLAIN } };
	add_trial(STORE_PLAIN, 3000, 4000);
	add_trial(STORE_LINUX, 3300, 4400);
	add_trial(STORE_NTI, 1500, 6000);
	run_report();
	assert_true(says("\nstores of struct pages: nti where only initialised, plain where freed "
			 "right after\n"));
	assert_true(says("cmdline: store=nt512: not every CPU has AVX-512F"));
	assert_true(says("using auto\n"));
	assert_false(says("All CPUs have"));
	assert_string_equal(find_row("stores of struct pages", "plain"),
			    "plain 3.000 2.00 4.000 1.00");
	assert_string_equal(find_row("stores of struct pages", "nti"),
			    "nti 1.500 1.00 6.000 1.50");
	assert_true(says("\"table\":\"cmdline\",\"offset\":0,\"reason\":\"not every CPU has this "
			 "store\",\"value\":7,\"word\":\"store=nt512\""));
	assert_true(says("\"asked\":\"nt512\",\"refused\":true,\"alone\":\"nti\","
			 "\"with_free\":\"plain\",\"tried\":true,"));
	assert_true(says("\"store\":\"linux\",\"alone_cycles\":6600000,"
			 "\"with_free_cycles\":8800000}"));
	assert_int_equal(count("store_trial"), 3);
	assert_int_equal(count("anomaly"), 1);
}

static void refused_with_nothing_to_try(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_MOVDIR64B, .has = sse2, .refused = true };
	run_report();
	assert_true(says("\nstores of struct pages: plain\n"));
	assert_true(says("cmdline: store=movdir64b: not every CPU has MOVDIR64B"));
	assert_true(says("using plain\n"));
}

static void auto_is_a_wish_too(void **state)
{
	(void)state;
	trials = (struct store_trials){ .wish = STORE_AUTO, .has = sse2, .tried = true,
					.choice = { STORE_NT128, STORE_NT128 } };
	add_trial(STORE_NT128, 1, 1);
	run_report();
	assert_true(says("\nstores of struct pages: nt128\n"));
	assert_true(says("\"asked\":\"auto\",\"refused\":false,"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_asked_for),
		cmocka_unit_test(refused_by_name_and_tried),
		cmocka_unit_test(refused_with_nothing_to_try),
		cmocka_unit_test(auto_is_a_wish_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
