#include "lab/init_run_parts.h"

bool init_jobs_prepare(struct init_state *state)
{
	const struct init_plan *plan = state->plan;
	uint64_t claims = 0;

	for (uint32_t node = 0; node < state->capacity.nodes; node++)
		state->args[node] = (struct page_init_args){
			state->input->memmap->base, plan, node,
		};
	for (uint32_t i = 0; i < plan->job_count; i++) {
		const struct init_job *job = &plan->jobs[i];
		struct job_state *prepared = &state->jobs[i];

		dispatch_prepare(prepared, &(struct job){
			.function = page_init_chunk,
			.argument = &state->args[job->node],
			.start = job->start_pfn,
			.size = job->size_pages,
			.align = job->align_pages,
			.min_chunk = job->min_chunk_pages,
			.max_workers = job->max_workers,
		});
		if (prepared->chunk_count >= state->capacity.claims - claims)
			return false;
		claim_log_init(&state->logs[i], state->claims + claims, prepared->chunk_count + 1);
		claims += prepared->chunk_count + 1;
	}
	return true;
}

/* Claims that are in the log; more than fit were counted only. */
static uint64_t logged(const struct claim_log *log)
{
	return log->count < log->capacity ? log->count : log->capacity;
}

static bool job_good(const struct init_state *state, uint32_t index, uint64_t *bad_pfn)
{
	const struct init_job *job = &state->plan->jobs[index];
	struct claim_log *log = &state->logs[index];
	uint64_t end_pfn = job->start_pfn + job->size_pages;

	*bad_pfn = job->start_pfn;
	if (index && job[-1].node == job->node &&
	    job->start_pfn < job[-1].start_pfn + job[-1].size_pages)
		return false;
	return dispatch_claims_tile(log->claims, logged(log), job->start_pfn, end_pfn, bad_pfn) &&
	       log->count <= log->capacity;
}

bool init_claims_good(const struct init_state *state, uint64_t *bad_pfn)
{
	uint64_t first_bad = UINT64_MAX, bad;

	for (uint32_t i = 0; i < state->plan->job_count; i++)
		if (!job_good(state, i, &bad) && bad < first_bad)
			first_bad = bad;
	*bad_pfn = first_bad;
	return first_bad == UINT64_MAX;
}

static void add_node(const struct init_state *state, struct init_run_sample *run, uint32_t node,
		     uint64_t go_tsc)
{
	const struct init_plan *plan = state->plan;
	struct init_node_sample sample = {
		.policy = run->policy,
		.repetition = run->repetition,
		.node = node,
		.workers = plan->nodes[node].worker_count,
	};

	for (uint32_t i = 0; i < plan->visit_count; i++) {
		uint64_t cycles = cycles_between(go_tsc, state->visit_records[i].last_tsc);

		if (plan->visits[i].node == node && cycles > sample.cycles)
			sample.cycles = cycles;
	}
	if (sample.cycles > run->cycles)
		run->cycles = sample.cycles;
	state->results->nodes[state->results->node_count++] = sample;
}

static void add_cpu(const struct init_state *state, const struct init_run_sample *run,
		    uint32_t worker, uint64_t go_tsc)
{
	state->results->cpus[state->results->cpu_count++] = (struct init_cpu_sample){
		.policy = run->policy,
		.repetition = run->repetition,
		.cpu = state->workers[worker].cpu,
		.cycles = cycles_between(go_tsc, state->worker_records[worker].end_tsc),
	};
}

/* With equal clocks every worker arrives before the barrier's stamp and leaves after it. */
static void note_skew(const struct init_state *state, uint32_t worker)
{
	const struct worker_record *record = &state->worker_records[worker];
	struct init_results *results = state->results;
	uint64_t ahead = cycles_between(record->go_tsc, record->arrive_tsc);
	uint64_t behind = cycles_between(record->seen_tsc, record->go_tsc);
	uint64_t skew = ahead > behind ? ahead : behind;

	if (skew <= results->skew_cycles)
		return;
	results->skew_cycles = skew;
	results->skew_cpu = state->workers[worker].cpu;
}

/* Who did how much is read from the claims: workers do not count while the clock runs. */
static uint64_t count_job(const struct init_state *state, uint32_t index,
			  struct init_cpu_sample *cpus)
{
	const struct claim_log *log = &state->logs[index];
	uint64_t sum = 0;

	for (uint64_t i = 0; i < logged(log); i++) {
		const struct claim *claim = &log->claims[i];
		uint64_t pages = page_init_chunk_pages(&state->args[state->plan->jobs[index].node],
						       claim->start, claim->end);

		cpus[claim->worker].chunks++;
		cpus[claim->worker].pages += pages;
		sum += pages;
	}
	return sum;
}

void init_samples_add(const struct init_state *state, struct init_run_sample *run, uint64_t go_tsc)
{
	struct init_results *results = state->results;
	struct init_cpu_sample *cpus = results->cpus + results->cpu_count;
	struct init_node_sample *nodes = results->nodes + results->node_count;

	for (uint32_t i = 0; i < state->worker_count; i++) {
		add_cpu(state, run, i, go_tsc);
		note_skew(state, i);
	}
	for (uint32_t node = 0; node < state->capacity.nodes; node++)
		if (state->plan->nodes[node].deferred_pages)
			add_node(state, run, node, go_tsc);
	/* Jobs are in the order of the nodes. */
	for (uint32_t i = 0; i < state->plan->job_count; i++) {
		uint64_t pages = count_job(state, i, cpus);

		while (nodes->node != state->plan->jobs[i].node)
			nodes++;
		nodes->pages += pages;
		run->pages += pages;
	}
}
