#include "lab/init_run_parts.h"
#include "lib/assert.h"
#include "lib/string.h"

/* Without memory an arena only counts: the bound and the layout come from the same walk. */
struct arena {
	uint8_t *memory;
	uint64_t bytes, used;
};

enum { CACHE_LINE = 64 };

static void *take(struct arena *arena, uint64_t count, uint64_t size)
{
	uint64_t start = arena->used;

	arena->used += (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
	return arena->memory && arena->used <= arena->bytes ? arena->memory + start : NULL;
}

static uint32_t policy_count(const struct options *options)
{
	uint32_t count = 1;

	for (int policy = 0; policy < POLICY_COUNT; policy++)
		count += policy != POLICY_NODE && options->policy_chosen[policy];
	return count;
}

/*
 * The windows of one node's jobs share no section, and a chunk is no smaller than a section: a job
 * has as many chunks at most as sections that it touches. All jobs together touch each section
 * once, and once more for each job of a further node that begins in it. Each log has one claim to
 * spare.
 */
static uint64_t claim_bound(const struct init_input *input, uint32_t jobs)
{
	return input->memmap->count + 2 * (uint64_t)jobs;
}

/* init_plan_bounds looks at no more than the number of reservations. */
static struct init_capacity capacity_for(const struct init_input *input, uint32_t extra_reserved)
{
	struct range_list reserved = *input->reserved;
	struct init_capacity c = {
		.policies = policy_count(input->options),
		.cpus = input->topology->cpu_count,
		.nodes = input->topology->node_count,
	};
	uint64_t spans;
	uint32_t jobs, visits;

	reserved.count += extra_reserved;
	init_plan_bounds(input->topology, input->memmap, &reserved, &spans, &jobs, &visits);
	c.spans = spans;
	c.jobs = jobs;
	c.visits = visits;
	c.claims = claim_bound(input, jobs);
	c.runs = c.policies * input->options->repeat;
	return c;
}

static struct init_plan *take_plan(struct arena *arena, const struct init_capacity *c)
{
	struct init_plan *plan = take(arena, 1, sizeof(*plan));
	struct init_span *spans = take(arena, c->spans, sizeof(*spans));
	struct init_job *jobs = take(arena, c->jobs, sizeof(*jobs));
	struct init_visit *visits = take(arena, c->visits, sizeof(*visits));

	if (!visits)
		return NULL;
	plan->spans = spans;
	plan->span_capacity = c->spans;
	plan->jobs = jobs;
	plan->job_capacity = c->jobs;
	plan->visits = visits;
	plan->visit_capacity = c->visits;
	return plan;
}

static void take_results(struct arena *arena, const struct init_capacity *c,
			 struct init_results *results)
{
	for (uint32_t i = 0; i < c->policies; i++)
		results->plans[i] = take_plan(arena, c);
	results->runs = take(arena, c->runs, sizeof(*results->runs));
	results->nodes = take(arena, (uint64_t)c->runs * c->nodes, sizeof(*results->nodes));
	results->cpus = take(arena, (uint64_t)c->runs * c->cpus, sizeof(*results->cpus));
}

static void take_state(struct arena *arena, const struct init_capacity *c, struct init_state *state)
{
	state->online = take(arena, c->cpus, sizeof(*state->online));
	state->sweep = take(arena, 1, sizeof(*state->sweep));
	state->checks = take(arena, c->cpus, sizeof(*state->checks));
	state->workers = take(arena, c->cpus, sizeof(*state->workers));
	state->worker_cpus = take(arena, c->cpus, sizeof(*state->worker_cpus));
	state->worker_records = take(arena, c->cpus, sizeof(*state->worker_records));
	state->visit_records = take(arena, c->visits, sizeof(*state->visit_records));
	state->jobs = take(arena, c->jobs, sizeof(*state->jobs));
	state->logs = take(arena, c->jobs, sizeof(*state->logs));
	state->claims = take(arena, c->claims, sizeof(*state->claims));
	state->args = take(arena, c->nodes, sizeof(*state->args));
	state->barrier = take(arena, 1, sizeof(*state->barrier));
}

uint64_t init_run_bytes(const struct init_input *input, uint32_t extra_reserved)
{
	struct init_capacity c = capacity_for(input, extra_reserved);
	struct arena arena = { 0 };
	struct init_results results;
	struct init_state state;

	take(&arena, 1, sizeof(state));
	take_results(&arena, &c, &results);
	take_state(&arena, &c, &state);
	return arena.used;
}

struct init_state *init_memory_lay_out(const struct init_input *input, void *memory, uint64_t bytes,
				       struct init_results *results)
{
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct init_capacity c = capacity_for(input, 0);
	struct init_state *state = take(&arena, 1, sizeof(*state));

	lab_assert((uintptr_t)memory % CACHE_LINE == 0);
	memset(results, 0, sizeof(*results));
	if (!state)
		return NULL;
	memset(state, 0, sizeof(*state));
	state->input = input;
	state->results = results;
	state->capacity = c;
	take_results(&arena, &c, results);
	take_state(&arena, &c, state);
	return arena.used <= arena.bytes ? state : NULL;
}
