#include "lab/init_run.h"

#include "lab/init_run_parts.h"
#include "lib/page_units.h"
#include "lib/string.h"

static uint64_t now(const struct init_state *state)
{
	return state->input->machine->now(state->input->machine->context);
}

static void run_on(const struct init_state *state, const uint32_t *cpus, uint32_t count,
		   void (*function)(void *argument, uint32_t index), void *argument)
{
	if (count)
		state->input->machine->run(state->input->machine->context, cpus, count, function,
					   argument);
}

/* ---- on all CPUs: poison before a run, verify after it -------------------------------------- */

static void sweep_prepare(struct init_state *state)
{
	dispatch_prepare(state->sweep, &(struct job){
		.size = state->input->memmap->count,
		.align = 1,
		.min_chunk = 1,
		.max_workers = state->online_count,
	});
}

static void poison_worker(void *argument, uint32_t index)
{
	const struct init_state *state = argument;
	const struct memmap *memmap = state->input->memmap;
	uint64_t first, end;

	while (dispatch_claim(state->sweep, index, &first, &end))
		for (uint64_t i = first; i < end; i++)
			memset(memmap->base + memmap->sections[i].section * SECTION_PAGES,
			       PAGE_POISON_BYTE, SECTION_PAGES * sizeof(struct page));
}

static struct verify_job oracle(const struct init_state *state)
{
	const struct init_input *input = state->input;

	return (struct verify_job){ input->memmap, input->topology, input->reserved };
}

static void verify_worker(void *argument, uint32_t index)
{
	const struct init_state *state = argument;
	struct verify_totals *totals = &state->checks[index].totals;
	struct verify_job job = oracle(state);
	uint64_t first, end;

	verify_totals_init(totals);
	while (dispatch_claim(state->sweep, index, &first, &end))
		verify_sections(&job, first, end, totals);
}

static void poison(struct init_state *state)
{
	sweep_prepare(state);
	run_on(state, state->online, state->online_count, poison_worker, state);
}

static void verify(struct init_state *state, struct verify_totals *totals)
{
	sweep_prepare(state);
	run_on(state, state->online, state->online_count, verify_worker, state);
	for (uint32_t i = 0; i < state->online_count; i++)
		verify_totals_add(totals, &state->checks[i].totals);
}

/* ---- the measured part ---------------------------------------------------------------------- */

static void make_visit(const struct init_state *state, uint32_t index, uint32_t worker)
{
	const struct init_visit *visit = &state->plan->visits[index];
	const struct init_node *node = &state->plan->nodes[visit->node];
	uint64_t last_tsc = 0;

	for (uint32_t i = node->first_job; i < node->first_job + node->job_count; i++)
		if (dispatch_work(&state->jobs[i], visit->rank, &state->logs[i], worker))
			last_tsc = now(state);
	state->visit_records[index].last_tsc = last_tsc;
}

/* The deadline is by the worker's own clock, which need not agree with that of the boot CPU. */
static void init_worker(void *argument, uint32_t index)
{
	const struct init_state *state = argument;
	const struct init_worker *worker = &state->workers[index];
	struct worker_record *record = &state->worker_records[index];

	record->arrive_tsc = now(state);
	record->go_tsc = barrier_wait(state->barrier, record->arrive_tsc +
						      state->input->machine->timeout_cycles);
	if (!record->go_tsc)
		return;
	record->seen_tsc = now(state);
	for (uint32_t i = 0; i < worker->visit_count; i++)
		make_visit(state, worker->first_visit + i, index);
	record->end_tsc = now(state);
}

/* A CPU's visits are consecutive: each change of the CPU begins a worker. */
static void find_workers(struct init_state *state)
{
	const struct init_plan *plan = state->plan;

	state->worker_count = 0;
	for (uint32_t i = 0; i < plan->visit_count; i++) {
		uint32_t cpu = plan->visits[i].cpu;

		if (!i || plan->visits[i - 1].cpu != cpu) {
			state->worker_cpus[state->worker_count] = cpu;
			state->workers[state->worker_count++] = (struct init_worker){ cpu, i, 0 };
		}
		state->workers[state->worker_count - 1].visit_count++;
	}
	memset(state->worker_records, 0, state->worker_count * sizeof(*state->worker_records));
	memset(state->visit_records, 0, plan->visit_count * sizeof(*state->visit_records));
}

/* The barrier's stamp, 0 when a worker waited in vain for the others. */
static uint64_t go_stamp(const struct init_state *state)
{
	for (uint32_t i = 0; i < state->worker_count; i++)
		if (!state->worker_records[i].go_tsc)
			return 0;
	return state->worker_count ? state->worker_records[0].go_tsc : 0;
}

/* ---- deliberate faults: in the first run, for it is then the last one ----------------------- */

/* The node of the last frame of RAM is wrong by one. */
static void inject_page(const struct init_state *state)
{
	const struct topology *topology = state->input->topology;
	uint64_t pfn = topology->ram[topology->ram_count - 1].end_pfn - 1;

	state->input->memmap->base[pfn].flags ^= 1ull << PAGE_NODE_SHIFT;
}

/* The first chunk on record is claimed and initialised once more. */
static void inject_chunk(const struct init_state *state)
{
	struct claim claim;

	if (!state->plan->job_count || !state->logs[0].count)
		return;
	claim = state->logs[0].claims[0];
	claim_log_add(&state->logs[0], claim.start, claim.end, claim.worker);
	page_init_chunk(&state->args[state->plan->jobs[0].node], claim.start, claim.end);
}

static void inject(const struct init_state *state)
{
	if (state->input->options->inject == INJECT_PAGE)
		inject_page(state);
	if (state->input->options->inject == INJECT_CHUNK)
		inject_chunk(state);
}

/* ---- a run ---------------------------------------------------------------------------------- */

static bool as_expected(const struct init_run_sample *run, const struct verify_totals *expected)
{
	return !run->timed_out && run->tiled && !run->totals.mismatches &&
	       !memcmp(run->totals.pages, expected->pages, sizeof(expected->pages));
}

static void measure(struct init_state *state, struct init_run_sample *run)
{
	uint64_t start, go_tsc;

	poison(state);
	barrier_init(state->barrier, state->worker_count);
	start = now(state);
	run->early_pages = page_init_early(state->input->memmap->base, state->plan);
	run->early_cycles = now(state) - start;
	start = now(state);
	run_on(state, state->worker_cpus, state->worker_count, init_worker, state);
	go_tsc = go_stamp(state);
	run->timed_out = state->worker_count && !go_tsc;
	if (run->timed_out)
		return;
	run->wake_cycles = cycles_between(start, go_tsc);
	inject(state);
	init_samples_add(state, run, go_tsc);
	run->tiled = init_claims_good(state, &run->bad_pfn);
	verify(state, &run->totals);
}

/* One repetition of one policy. False: it failed, and there is no point in going on. */
static bool run_once(struct init_state *state, uint32_t policy_index, uint32_t repetition)
{
	const struct init_input *input = state->input;
	struct init_results *results = state->results;
	struct init_run_sample *run = &results->runs[results->run_count];

	*run = (struct init_run_sample){
		.policy = results->policies[policy_index],
		.repetition = repetition,
		.bad_pfn = UINT64_MAX,
	};
	verify_totals_init(&run->totals);
	if (input->progress)
		input->progress(input->progress_context, run->policy, repetition);
	state->plan = results->plans[policy_index];
	find_workers(state);
	run->workers = state->worker_count;
	if (init_jobs_prepare(state))
		measure(state, run);
	results->run_count++;
	return as_expected(run, &results->expected);
}

/* ---- the experiment ------------------------------------------------------------------------- */

/* The baseline is the same whatever the others are told: one worker per node. */
static struct init_rules rules_for(const struct options *options, enum policy policy)
{
	struct init_rules rules = { .policy = policy };

	if (policy != POLICY_NODE) {
		rules.threads = options->threads;
		rules.min_chunk_pages = (uint64_t)options->chunk_mib * ((1 << 20) / PAGE_BYTES);
	}
	return rules;
}

static bool build_plans(struct init_state *state)
{
	const struct init_input *input = state->input;
	struct init_results *results = state->results;

	for (int policy = 0; policy < POLICY_COUNT; policy++)
		if (policy == POLICY_NODE || input->options->policy_chosen[policy])
			results->policies[results->policy_count++] = (enum policy)policy;
	for (uint32_t i = 0; i < results->policy_count; i++) {
		struct init_rules rules = rules_for(input->options, results->policies[i]);

		if (!init_plan_build(results->plans[i], input->topology, input->memmap,
				     input->reserved, &rules))
			return false;
		state->plan = results->plans[i];
		if (!init_jobs_prepare(state))
			return false;
	}
	return true;
}

static bool find_online(struct init_state *state)
{
	const struct topology *topology = state->input->topology;

	for (uint32_t i = 0; i < topology->cpu_count; i++)
		if (topology->cpus[i].online)
			state->online[state->online_count++] = i;
	return state->online_count > 0;
}

bool init_run(const struct init_input *input, void *memory, uint64_t bytes,
	      struct init_results *results)
{
	struct init_state *state = init_memory_lay_out(input, memory, bytes, results);
	struct verify_job job;

	if (!state || !find_online(state) || !build_plans(state))
		return false;
	job = oracle(state);
	verify_expected(&job, &results->expected);
	for (uint32_t repetition = 0; repetition < input->options->repeat; repetition++)
		for (uint32_t i = 0; i < results->policy_count; i++)
			if (!run_once(state, i, repetition))
				return true;
	results->verified = results->run_count > 0;
	return true;
}
