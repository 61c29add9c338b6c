#pragma once
/* The tables of the experiment `init` besides that of the policies, one idea each, with the records
 * of what they sum up. */
#include "report/report.h"

/* Per node: the medians under every policy and the best of them; where there are one or two
 * policies, or verbose, also everything of every policy. */
void report_nodes(struct report *report, const struct init_results *results,
		  const struct topology *topology);

/* Names the policies whose figures are too uncertain to be passed on. */
void report_not_quotable(struct report *report, const struct init_results *results,
			 const struct topology *topology);

/* What is outside the clock (waking, the boot CPU's early part), and the passes inside it. */
void report_parts(struct report *report, const struct init_results *results);

/* The medians of these to the record under way, and the cold run where it is of `policy`. */
void report_part_fields(struct report *report, const struct init_results *results,
			enum policy policy);

/* Policy lazy: what first use costs. Nothing without such runs. */
void report_lazy(struct report *report, const struct init_results *results);

/* Policy async: the boot CPU's allocations while the workers run. Nothing without such runs. */
void report_async(struct report *report, const struct init_results *results);

/* Whatever took cycles away from the runs, as far as this CPU can tell. */
void report_disturbance(struct report *report, const struct init_results *results);

/* What the page allocator must be after every run, and was. */
void report_allocator(struct report *report, const struct init_results *results);

bool report_allocator_good(const struct init_run_sample *run);

/* What is wrong with a run, one line per fault: of its struct pages and claims, of its page
 * allocator. */
void report_explain_run(const struct report *report, const struct init_run_sample *run,
			const struct verify_totals *expected);
void report_explain_allocator(const struct report *report, const struct init_run_sample *run);

/* The run in which the nodes were grown. Nothing where there was none. */
void report_growth(struct report *report, const struct init_growth *growth);
