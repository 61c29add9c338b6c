/* SPDX-License-Identifier: GPL-2.0-only */
#include "tools/inspect/print_plan.h"

#include <stdio.h>
#include <string.h>

#include "lib/format.h"
#include "mm/init/policy.h"
#include "tools/inspect/policies.h"
#include "tools/inspect/text_parts.h"
#include "tools/inspect/view.h"

static void print_node_plan(const struct inspection *inspection, uint32_t node)
{
	const struct init_node *plan = &inspection->plan.nodes[node];

	printf(" %4u %7u %5u %9s %9s %10s %10s %10s", node, plan->worker_count, plan->job_count,
	       size_of_pages(view_node_chunk(&inspection->plan, node)).text,
	       size_of_pages(plan->early_pages).text, size_of_pages(plan->deferred_pages).text,
	       size_of_pages(plan->reserved_pages).text, size_of_pages(plan->hole_pages).text);
	putchar('\n');
}

/* Nodes in a row with the same reason are one line. */
static void print_why(const struct inspection *inspection, uint32_t node)
{
	const struct init_plan *plan = &inspection->plan;
	struct why_text why = policy_why(inspection, node);
	uint32_t last = node;
	char line[160];
	int column;

	if (node > 0 && plan->nodes[node - 1].worker_count == plan->nodes[node].worker_count &&
	    strcmp(policy_why(inspection, node - 1).text, why.text) == 0)
		return;
	while (last + 1 < inspection->topology.node_count &&
	       plan->nodes[last + 1].worker_count == plan->nodes[node].worker_count &&
	       strcmp(policy_why(inspection, last + 1).text, why.text) == 0)
		last++;
	column = last > node ? printf("  nodes %u-%u: ", node, last) : printf("  node %u: ", node);
	snprintf(line, sizeof(line), "%u worker%s, %s", plan->nodes[node].worker_count,
		 plan->nodes[node].worker_count == 1 ? "" : "s", why.text);
	print_wrapped(stdout, line, column);
}

void print_plan(const struct inspection *inspection)
{
	printf("Init plan (policy %s; amounts are RAM or holes described)\n",
	       policy_name(inspection->policy));
	puts(" node workers  jobs     chunk     early   deferred   reserved      holes");
	for (uint32_t i = 0; i < inspection->topology.node_count; i++)
		print_node_plan(inspection, i);
	for (uint32_t i = 0; i < inspection->topology.node_count; i++)
		print_why(inspection, i);
	puts("The kernel also reserves its own image, a few MiB.\n");
}

static void print_outline(const struct inspection *inspection, enum policy policy)
{
	struct policy_outline outline = policy_outline(inspection, policy);
	char number[32];

	printf(" %-10s %8u %9u %5u %9s %14lu", policy_name(policy), outline.cpus, outline.most,
	       outline.jobs, size_of_pages(outline.chunk_pages).text, outline.cpu_pages);
	if (inspection->given.page_ps)
		printf(" %12s", outline.least_ps ?
		       format_ratio(number, outline.least_ps, 1000000000, 3) : "-");
	putchar('\n');
}

static void explain_least_time(const struct inspection *inspection)
{
	char rate[32];

	printf("Least time: pages per CPU, each %s ns as given, from when the workers have\n"
	       "met to the end of the last chunk; as if no worker slowed another one, and CPUs\n"
	       "and memory were those that were measured.\n",
	       format_ratio(rate, inspection->given.page_ps, 1000, 3));
	if (inspection->topology.bandwidth_from_hmat)
		puts("Where the HMAT's write bandwidth makes 64 bytes a page slower, that counts.");
	puts("ktask and lazy do something else to a page, so that no time is told.");
}

void print_policies(const struct inspection *inspection)
{
	bool timed = inspection->given.page_ps;

	printf("All policies (--policy plans another one)\n"
	       " policy         CPUs      most                             pages%s\n"
	       "             at work  per node  jobs     chunk        per CPU%s\n",
	       timed ? "        least" : "", timed ? "           ms" : "");
	for (uint32_t i = 0; i < POLICY_COUNT; i++) {
		const char *unplanned = policy_unplanned(inspection, i);

		if (unplanned)
			printf(" %-10s  %s\n", policy_name(i), unplanned);
		else
			print_outline(inspection, i);
	}
	puts("Pages per CPU: deferred ones that the busiest CPU has at least.");
	if (timed)
		explain_least_time(inspection);
}
