/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/claims.h"

#include "lib/assert.h"
#include "lib/minmax.h"
#include "mm/init/chunk_sized.h"
#include "mm/init/page_init.h"

typedef void job_function(void *argument, uint64_t start, uint64_t end);

static job_function *function_for(const struct lab *lab, uint32_t pass)
{
	if (lab->init_only)
		return chunk_init_sized;
	if (lab->rule->passes == PASS_LAZY)
		return chunk_lazy;
	if (lab->rule->passes == PASS_FUSED)
		return chunk_init_and_free;
	return pass == 0 ? chunk_init : chunk_free;
}

/* Smaller descriptors have a loop of their own. */
enum store lab_store(const struct lab *lab, uint32_t kind)
{
	const struct lab_input *input = lab->input;
	const struct store_choice *stores = &input->stores;

	if (lab->init_only)
		return STORE_PLAIN;
	if (lab->rule->best_stores && input->best_stores)
		stores = &input->best_stores[kind];
	else if (input->kind_stores)
		stores = &input->kind_stores[kind];
	return lab->rule->passes == PASS_TWO ? stores->alone : stores->with_free;
}

static void prepare_args(struct lab *lab, uint32_t kind, uint32_t node)
{
	const struct lab_input *input = lab->input;

	*lab_args(lab, kind, node) = (struct chunk_args){
		.buddy = input->buddy,
		.plan = lab->plan,
		.node = node,
		.store = lab_store(lab, kind),
		.count_managed = !lab->rule->count_at_end,
		.freed_pages = &lab->freed[node].pages,
		.descriptor_bytes = input->options->page_size,
		.descriptors = (uint8_t *)input->memmap->base,
	};
}

static void prepare_node(struct lab *lab, uint32_t node)
{
	atomic_store_explicit(&lab->freed[node].pages, 0, memory_order_relaxed);
	for (uint32_t kind = 0; kind < lab->capacity.kinds; kind++)
		prepare_args(lab, kind, node);
}

static void prepare_job(struct lab *lab, uint32_t index, uint32_t pass)
{
	const struct init_job *planned = &lab->plan->jobs[index];
	struct job job = init_job_from(planned, lab->borders[planned->node]);

	job.function = function_for(lab, pass);
	job.argument = lab_args(lab, 0, planned->node);
	dispatch_prepare(&lab->passes[pass].jobs[index], &job);
}

/* Each log has room for one claim too many. */
static bool prepare_pass(struct lab *lab, uint32_t pass)
{
	struct lab_pass *p = &lab->passes[pass];
	uint64_t claims = 0;

	for (uint32_t i = 0; i < lab->plan->job_count; i++) {
		uint64_t chunks;

		prepare_job(lab, i, pass);
		chunks = p->jobs[i].chunk_count;
		if (chunks >= lab->capacity.claims - claims)
			return false;
		claim_log_init(&p->logs[i], p->claims + claims, chunks + 1);
		claims += chunks + 1;
	}
	return true;
}

bool lab_prepare_jobs(struct lab *lab)
{
	lab_assert(lab->pass_count <= lab->capacity.passes);
	for (uint32_t node = 0; node < lab->capacity.nodes; node++)
		prepare_node(lab, node);
	for (uint32_t pass = 0; pass < lab->pass_count; pass++)
		if (!prepare_pass(lab, pass))
			return false;
	return true;
}

/* Claims that are in the log; more than fit were counted only. */
static uint64_t logged(const struct claim_log *log)
{
	return min_u64(log->count, log->capacity);
}

static bool job_good(const struct lab *lab, uint32_t pass, uint32_t index, uint64_t *bad_pfn)
{
	const struct init_job *planned = &lab->plan->jobs[index];
	const struct job *job = &lab->passes[pass].jobs[index].job;
	struct claim_log *log = &lab->passes[pass].logs[index];

	*bad_pfn = planned->job.start;
	if (index && planned[-1].node == planned->node &&
	    planned->job.start < planned[-1].job.start + planned[-1].job.size)
		return false;
	return dispatch_claims_tile(log->claims, logged(log), job->start, job->start + job->size,
				    bad_pfn) &&
	       log->count <= log->capacity;
}

bool lab_claims_good(const struct lab *lab, uint64_t *bad_pfn)
{
	uint64_t first_bad = UINT64_MAX, bad;

	for (uint32_t pass = 0; pass < lab->pass_count; pass++)
		for (uint32_t i = 0; i < lab->plan->job_count; i++)
			if (!job_good(lab, pass, i, &bad) && bad < first_bad)
				first_bad = bad;
	*bad_pfn = first_bad;
	return first_bad == UINT64_MAX;
}

static uint64_t tally_job(struct lab *lab, uint32_t index)
{
	const struct claim_log *log = &lab->passes[0].logs[index];
	struct page_init_args args = { lab->input->memmap->base, lab->plan,
				       lab->plan->jobs[index].node };
	uint64_t sum = 0;

	for (uint64_t i = 0; i < logged(log); i++) {
		const struct claim *claim = &log->claims[i];
		uint64_t pages = page_init_chunk_pages(&args, claim->start, claim->end);

		lab->workers[claim->worker].chunks++;
		lab->workers[claim->worker].pages += pages;
		sum += pages;
	}
	return sum;
}

uint64_t lab_tally(struct lab *lab)
{
	uint64_t sum = 0;

	for (uint32_t node = 0; node < lab->capacity.nodes; node++)
		lab->node_pages[node] = 0;
	for (uint32_t i = 0; i < lab->plan->job_count; i++) {
		uint64_t pages = tally_job(lab, i);

		lab->node_pages[lab->plan->jobs[i].node] += pages;
		sum += pages;
	}
	return sum;
}
