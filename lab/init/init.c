/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/init/init.h"

#include "lab/run/begin.h"
#include "lab/run/memory.h"
#include "lab/run/timed_run.h"
#include "lab/run/times.h"
#include "lib/interleave.h"
#include "lib/page_units.h"
#include "lib/string.h"

#define MIB_PAGES ((1 << 20) / PAGE_BYTES)

struct experiment_state {
	struct lab *lab;
	struct init_results *results;
	uint32_t index; /* runs begun */
	bool tried[POLICY_COUNT];
};

/* ---- memory --------------------------------------------------------------------------------- */

static bool takes_part(const struct options *options, enum policy policy)
{
	return policy == POLICY_NODE || options->policy_chosen[policy];
}

static void find_needs(const struct options *options, struct lab_needs *needs, uint32_t *policies)
{
	*policies = 0;
	*needs = (struct lab_needs){ options->chunk_mib * MIB_PAGES, 1, false };
	for (int policy = 0; policy < POLICY_COUNT; policy++) {
		const struct policy_rule *rule = policy_rule((enum policy)policy);

		if (!takes_part(options, (enum policy)policy))
			continue;
		++*policies;
		needs->background |= rule->background;
		if (rule->passes == PASS_TWO)
			needs->passes = PASSES_MAX;
	}
}

/* Runs and summaries take turns in the same memory. */
static struct lab *take_lab(struct arena *arena, const struct lab_input *input,
			    const struct lab_capacity *c, uint32_t policies, uint32_t runs,
			    struct init_results *results)
{
	struct arena spare = *arena;
	struct lab *lab = lab_take(arena, input, c);

	results->spare_bytes = INIT_SPARE_BYTES + (uint64_t)policies * c->nodes * INIT_SPARE_EACH +
			       (uint64_t)runs * INIT_SPARE_RUN;
	results->spare = arena_take(&spare, 1, results->spare_bytes);
	if (arena->used < spare.used)
		arena->used = spare.used;
	return results->spare ? lab : NULL;
}

static struct lab *lay_out(struct arena *arena, const struct lab_input *input,
			   uint32_t extra_reserved, struct init_results *results)
{
	struct lab_needs needs;
	struct lab_capacity c;
	uint32_t policies, runs;

	find_needs(input->options, &needs, &policies);
	lab_capacity(input, extra_reserved, &needs, &c);
	runs = policies * input->options->repeat + 1; /* and the cold one */
	*results = (struct init_results){ .page_size = input->options->page_size };
	for (uint32_t i = 0; i < policies; i++)
		results->plans[i] = lab_take_plan(arena, &c);
	results->runs = arena_take(arena, runs, sizeof(*results->runs));
	results->nodes = arena_take(arena, (uint64_t)runs * c.nodes, sizeof(*results->nodes));
	results->cpus = arena_take(arena, (uint64_t)runs * c.cpus, sizeof(*results->cpus));
	return take_lab(arena, input, &c, policies, runs, results);
}

uint64_t init_bytes(const struct lab_input *input, uint32_t extra_reserved)
{
	struct arena arena = { 0 };
	struct init_results results;

	lay_out(&arena, input, extra_reserved, &results);
	return arena.used;
}

/* ---- plans ---------------------------------------------------------------------------------- */

/* The baseline is the same whatever the others are told. */
static struct init_rules rules_for(const struct lab_input *input, enum policy policy)
{
	const struct options *options = input->options;
	struct init_rules rules = { .policy = policy, .cores_first = true,
				    .worker_counts = input->worker_counts[policy] };

	if (policy != POLICY_NODE) {
		rules.threads = options->threads;
		rules.chunk_pages = options->chunk_mib * MIB_PAGES;
		rules.split = options->split;
	}
	return rules;
}

static bool build_plans(struct experiment_state *e)
{
	const struct lab_input *input = e->lab->input;
	struct init_results *results = e->results;

	results->policies[results->policy_count++] = POLICY_NODE;
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		if (policy != POLICY_NODE && input->options->policy_chosen[policy])
			results->policies[results->policy_count++] = (enum policy)policy;
	for (uint32_t i = 0; i < results->policy_count; i++) {
		struct init_rules rules = rules_for(input, results->policies[i]);

		if (!init_plan_build(results->plans[i], input->topology, input->memmap,
				     input->reserved, &rules) ||
		    !lab_plan_fits(e->lab, results->plans[i], results->policies[i]))
			return false;
		results->stores[i] = e->lab->store;
	}
	return true;
}

/* ---- samples -------------------------------------------------------------------------------- */

static void add_node(struct experiment_state *e, const struct run_sample *run, uint32_t node)
{
	const struct lab *lab = e->lab;

	e->results->nodes[e->results->node_count++] = (struct init_node_sample){
		.policy = run->policy,
		.repetition = run->repetition,
		.node = node,
		.workers = lab->plan->nodes[node].worker_count,
		.pages = lab->node_pages[node],
		.cycles = lab_node_cycles(lab, node, lab->pass_count - 1),
	};
}

static void add_cpu(struct experiment_state *e, const struct run_sample *run, uint32_t index)
{
	const struct lab *lab = e->lab;
	const struct lab_worker *worker = &lab->workers[index];

	e->results->cpus[e->results->cpu_count++] = (struct init_cpu_sample){
		.policy = run->policy,
		.repetition = run->repetition,
		.cpu = worker->cpu,
		.node = lab->input->topology->cpus[worker->cpu].node,
		.chunks = worker->chunks,
		.pages = worker->pages,
		.cycles = cycles_between(lab->go_tsc, lab->worker_records[index].end_tsc),
	};
}

static void add_samples(struct experiment_state *e, const struct run_sample *run)
{
	const struct lab *lab = e->lab;

	if (run->timed_out)
		return;
	for (uint32_t i = 0; i < lab->worker_count; i++)
		add_cpu(e, run, i);
	for (uint32_t node = 0; node < lab->capacity.nodes; node++)
		if (lab->plan->nodes[node].deferred_pages)
			add_node(e, run, node);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static bool grows(const struct experiment_state *e)
{
	return !e->lab->init_only;
}

static void show_progress(struct experiment_state *e, const struct run_request *request)
{
	const struct lab_input *input = e->lab->input;
	struct lab_progress progress = {
		.experiment = EXPERIMENT_INIT,
		.policy = request->policy,
		.repetition = request->repetition,
		.index = e->index++,
		.count = !input->memmap_written + e->results->policy_count * input->options->repeat,
		.elapsed_cycles = lab_now(e->lab) - e->lab->began_tsc,
		.cold = request->cold,
	};

	if (input->progress)
		input->progress(input->progress_context, &progress);
}

/* Of lazy, and of the baseline to compare with, when both are warm. One CPU takes all memory: of a
 * large machine once. */
static bool measures_first_use(const struct experiment_state *e, enum policy policy,
			       uint32_t repetition)
{
	const struct lab_input *input = e->lab->input;
	uint32_t last = input->topology->ram_pages > FIRST_USE_PAGES_MAX ? 1 : FIRST_USE_RUNS_MAX;

	return input->options->policy_chosen[POLICY_LAZY] && repetition && repetition <= last &&
	       (policy == POLICY_LAZY || policy == POLICY_NODE);
}

/* False: the run failed, and there is no point in going on. */
static bool run_once(struct experiment_state *e, uint32_t policy_index, uint32_t repetition)
{
	struct init_results *results = e->results;
	struct run_sample *run = &results->runs[results->run_count];
	enum policy policy = results->policies[policy_index];
	struct run_request request = {
		.plan = results->plans[policy_index],
		.policy = policy,
		.repetition = repetition,
		.inject = e->lab->input->options->inject,
		.cold = repetition == 0,
		.exercise = !e->tried[policy],
		.first_use = measures_first_use(e, policy, repetition),
	};

	show_progress(e, &request);
	e->tried[policy] = true;
	lab_run(e->lab, &request, run);
	results->run_count++;
	add_samples(e, run);
	return run->good;
}

/* Of the last policy: how far the workers have to go afterwards is the same for all. */
static bool run_growth(struct experiment_state *e)
{
	struct init_results *results = e->results;
	struct init_growth *growth = &results->growth;
	uint32_t last = results->policy_count - 1;
	struct run_request request = { .plan = results->plans[last],
				       .policy = results->policies[last], .grow = true };
	struct run_sample run;

	if (!grows(e) || !request.plan->deferred_pages)
		return true;
	growth->done = true;
	growth->policy = request.policy;
	growth->good = lab_run(e->lab, &request, &run);
	growth->allocated_blocks = e->lab->grown_blocks;
	growth->grown_pages = atomic_load(&e->lab->deferred->grown_pages);
	growth->good &= growth->grown_pages + run.pages == request.plan->deferred_pages &&
			(growth->grown_pages || !request.plan->deferred_pages);
	return growth->good;
}

static bool run_all(struct experiment_state *e)
{
	uint32_t count = e->results->policy_count;

	if (!e->lab->input->memmap_written && !run_once(e, 0, 0))
		return false;
	for (uint32_t repetition = 1; repetition <= e->lab->input->options->repeat; repetition++)
		for (uint32_t i = 0; i < count; i++)
			if (!run_once(e, interleave(count, repetition - 1, i), repetition))
				return false;
	return run_growth(e);
}

bool init_run(const struct lab_input *input, void *memory, uint64_t bytes,
	      struct init_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct experiment_state e = { .lab = lay_out(&arena, input, 0, results),
				      .results = results };

	if (!e.lab || !lab_begin(e.lab) || !build_plans(&e))
		return false;
	results->init_only = e.lab->init_only;
	results->expected = e.lab->expected;
	results->verified = run_all(&e);
	return true;
}
