#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lab/init_run_parts.h"
#include "lib/page_units.h"

/* Three jobs of two nodes by hand, each with its claims recorded. */
struct records {
	struct memmap memmap;
	struct init_input input;
	struct init_plan plan;
	struct init_job init_jobs[3];
	struct job_state jobs[3];
	struct claim_log logs[3];
	struct claim claims[64];
	struct page_init_args args[2];
	struct init_state state;
};

static void records_make(struct records *r)
{
	memset(r, 0, sizeof(*r));
	for (unsigned i = 0; i < 3; i++)
		r->init_jobs[i] = (struct init_job){ (i + 1) * 8 * SECTION_PAGES, 8 * SECTION_PAGES,
						     SECTION_PAGES, SECTION_PAGES, 2, i == 2 };
	r->input.memmap = &r->memmap;
	r->plan.jobs = r->init_jobs;
	r->plan.job_count = 3;
	r->state = (struct init_state){ .input = &r->input, .plan = &r->plan, .jobs = r->jobs,
					.logs = r->logs, .claims = r->claims, .args = r->args };
	r->state.capacity.nodes = 2;
	r->state.capacity.claims = 64;
}

static void records_claim(struct records *r)
{
	uint64_t start, end;

	assert_true(init_jobs_prepare(&r->state));
	for (unsigned i = 0; i < 3; i++)
		while (dispatch_claim(&r->jobs[i], 0, &start, &end))
			claim_log_add(&r->logs[i], start, end, 0);
}

static void test_claim_logs_do_not_overlap(void **unused)
{
	struct records *r = malloc(sizeof(*r));

	(void)unused;
	records_make(r);
	records_claim(r);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(r->logs[i].capacity, r->jobs[i].chunk_count + 1);
		assert_true(r->logs[i].claims + r->logs[i].capacity <=
			    (i < 2 ? r->logs[i + 1].claims : r->claims + 27));
	}
	r->state.capacity.claims = 27;
	assert_true(init_jobs_prepare(&r->state));
	r->state.capacity.claims = 26;
	assert_false(init_jobs_prepare(&r->state));
	free(r);
}

static void assert_bad(struct records *r, uint64_t pfn)
{
	uint64_t bad;

	assert_false(init_claims_good(&r->state, &bad));
	assert_int_equal(bad, pfn);
}

static void test_each_way_to_claim_wrongly_is_named(void **unused)
{
	struct records *r = malloc(sizeof(*r));
	uint64_t bad;

	(void)unused;
	records_make(r);
	records_claim(r);
	assert_true(init_claims_good(&r->state, &bad));

	/* claimed twice, then so often that the log is full */
	claim_log_add(&r->logs[1], 18 * SECTION_PAGES, 19 * SECTION_PAGES, 1);
	assert_bad(r, 18 * SECTION_PAGES);
	claim_log_add(&r->logs[1], 17 * SECTION_PAGES, 18 * SECTION_PAGES, 1);
	assert_int_equal(r->logs[1].count, r->logs[1].capacity + 1);
	assert_bad(r, 18 * SECTION_PAGES);

	/* claimed more often than the log can tell */
	records_claim(r);
	r->logs[2].count += 5;
	r->logs[2].capacity = 8;
	assert_bad(r, 24 * SECTION_PAGES);

	/* never claimed */
	records_claim(r);
	r->logs[2].count--;
	assert_bad(r, 31 * SECTION_PAGES);

	/* two windows of one node overlap; those of two nodes may */
	records_make(r);
	r->init_jobs[1].start_pfn = 15 * SECTION_PAGES;
	records_claim(r);
	assert_bad(r, 15 * SECTION_PAGES);
	r->init_jobs[1].start_pfn = 17 * SECTION_PAGES;
	records_claim(r);
	assert_true(init_claims_good(&r->state, &bad));
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_claim_logs_do_not_overlap),
		cmocka_unit_test(test_each_way_to_claim_wrongly_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
