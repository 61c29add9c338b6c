/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/memory.h"

struct init_plan *lab_take_plan(struct arena *arena, const struct lab_capacity *c)
{
	struct init_plan *plan = arena_take(arena, 1, sizeof(*plan));
	struct init_span *spans = arena_take(arena, c->spans, sizeof(*spans));
	struct init_job *jobs = arena_take(arena, c->jobs, sizeof(*jobs));
	struct init_visit *visits = arena_take(arena, c->visits, sizeof(*visits));

	if (!arena_fits(arena))
		return NULL;
	plan->spans = spans;
	plan->span_capacity = c->spans;
	plan->jobs = jobs;
	plan->job_capacity = c->jobs;
	plan->visits = visits;
	plan->visit_capacity = c->visits;
	return plan;
}

static void take_run(struct arena *arena, const struct lab_capacity *c, struct lab *lab)
{
	lab->workers = arena_take(arena, c->cpus, sizeof(*lab->workers));
	lab->worker_cpus = arena_take(arena, c->cpus, sizeof(*lab->worker_cpus));
	lab->worker_records = arena_take(arena, c->cpus, sizeof(*lab->worker_records));
	lab->visit_records = arena_take(arena, c->visits, sizeof(*lab->visit_records));
	for (uint32_t i = 0; i < c->passes; i++) {
		struct lab_pass *pass = &lab->passes[i];

		pass->jobs = arena_take(arena, c->jobs, sizeof(*pass->jobs));
		pass->logs = arena_take(arena, c->jobs, sizeof(*pass->logs));
		pass->claims = arena_take(arena, c->claims, sizeof(*pass->claims));
	}
	lab->args = arena_take(arena, (uint64_t)c->kinds * c->nodes, sizeof(*lab->args));
	lab->freed = arena_take(arena, c->nodes, sizeof(*lab->freed));
	lab->borders = arena_take(arena, c->nodes, sizeof(*lab->borders));
	lab->node_pages = arena_take(arena, c->nodes, sizeof(*lab->node_pages));
	lab->barrier = arena_take(arena, 1, sizeof(*lab->barrier));
	lab->deferred = arena_take(arena, 1, sizeof(*lab->deferred));
	lab->fill = arena_take(arena, 1, sizeof(*lab->fill));
	lab->bitmap = arena_take(arena, c->bitmap_words, sizeof(*lab->bitmap));
	lab->latencies = arena_take(arena, c->latencies, sizeof(*lab->latencies));
}

struct lab *lab_take(struct arena *arena, const struct lab_input *input,
		     const struct lab_capacity *capacity)
{
	struct lab lab = { .input = input, .capacity = *capacity };
	struct lab *place = arena_take(arena, 1, sizeof(*place));

	lab.online = arena_take(arena, capacity->cpus, sizeof(*lab.online));
	lab.sections = arena_take(arena, 1, sizeof(*lab.sections));
	lab.checks = arena_take(arena, capacity->cpus, sizeof(*lab.checks));
	take_run(arena, capacity, &lab);
	if (!arena_fits(arena))
		return NULL;
	*place = lab;
	return place;
}
