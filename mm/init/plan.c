/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/init/plan.h"

#include "lib/assert.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "lib/round.h"
#include "lib/string.h"
#include "mm/init/plan_parts.h"
#include "mm/init/plan_visits.h"
#include "mm/init/policy.h"

static const struct word *split_word(uint32_t index)
{
	static const struct word words[SPLITS] = {
		[SPLIT_DYNAMIC] = { "dynamic", "workers take chunk after chunk" },
		[SPLIT_STATIC] = { "static", "one each, beforehand" },
	};

	return &words[index];
}

const struct word_list split_words = { SPLITS, split_word, NULL, NULL };

/*
 * Each range of RAM is a span, and so are the holes on the two sides of the gap after it; its first
 * and its last block may be early, which cuts at two places; so does a reservation; a node is cut
 * once, where its deferred part begins; zones are cut at 16 MiB and 4 GiB. A free range ends at a
 * border of RAM or at a reservation.
 */
void init_plan_bounds(const struct topology *topology, const struct memmap *memmap,
		      const struct range_list *reserved, uint64_t *spans, uint32_t *jobs,
		      uint32_t *visits)
{
	uint64_t ram = topology->ram_count, cuts = reserved->count;

	*spans = min_u64(5 * ram + 2 + 2 * cuts + topology->node_count + ZONE_COUNT - 1,
			 memmap->count * SECTION_PAGES);
	*jobs = (uint32_t)(ram + cuts);
	*visits = init_plan_visit_bound(topology);
}

static uint64_t zone_start_pfn(enum zone zone)
{
	static const uint64_t start_pfn[ZONE_COUNT] = { 0, ZONE_DMA_END_PFN, ZONE_DMA32_END_PFN };

	return start_pfn[zone];
}

/*
 * Where each node's deferred part begins: the first section border with at least a section's worth
 * of RAM of the node's highest zone below it, reserved or not. All lower zones stay early, for
 * those who need addresses that fit into 24 or 32 bits.
 *
 *	sections  |     0     |     1     |     2     |
 *	RAM         [ 0.7 )[0.2)  [   0.6    )             all of one zone
 *	node           A    B         A
 *	deferred                          ^ A, 1.3 sections below; of B nothing
 */
static void find_first_deferred(struct init_plan *plan, const struct topology *topology)
{
	uint64_t below[NODE_MAX] = { 0 };

	for (uint32_t node = 0; node < topology->node_count; node++)
		plan->nodes[node].first_deferred_pfn = UINT64_MAX;
	for (uint32_t i = 0; i < topology->ram_count; i++)
		plan->nodes[topology->ram[i].node].deferred_zone =
			zone_of(topology->ram[i].end_pfn - 1);
	for (uint32_t i = 0; i < topology->ram_count; i++) {
		const struct ram_range *range = &topology->ram[i];
		struct init_node *node = &plan->nodes[range->node];
		uint64_t zone_start = zone_start_pfn(node->deferred_zone);
		uint64_t *pages = &below[range->node], before = *pages;

		if (range->end_pfn <= zone_start)
			continue;
		*pages += range->end_pfn - max_u64(range->start_pfn, zone_start);
		if (before < SECTION_PAGES && *pages >= SECTION_PAGES)
			node->first_deferred_pfn =
				round_up_u64(range->end_pfn - (*pages - SECTION_PAGES),
					     SECTION_PAGES);
	}
}

struct span_builder {
	struct init_plan *plan;
	const struct topology *topology;
	const struct range_list *reserved;
	uint32_t ram;      /* first RAM range that ends above the current frame */
	uint32_t cut;      /* first reserved range that does */
};

/* Whether `next` goes on where `last` ended, with nothing between them that cuts spans. */
static bool continues(const struct init_span *last, const struct init_span *next)
{
	return last->end_pfn == next->start_pfn && last->node == next->node &&
	       last->kind == next->kind && last->deferred == next->deferred &&
	       zone_of(last->start_pfn) == zone_of(next->start_pfn);
}

static void count_span(struct init_plan *plan, const struct init_span *span)
{
	struct init_node *node = &plan->nodes[span->node];
	uint64_t pages = span->end_pfn - span->start_pfn;

	plan->total_pages += pages;
	*(span->deferred ? &plan->deferred_pages : &plan->early_pages) += pages;
	*(span->deferred ? &node->deferred_pages : &node->early_pages) += pages;
	if (span->kind == FRAME_FREE)
		node->free_pages += pages;
	else if (span->kind == FRAME_RESERVED)
		node->reserved_pages += pages;
	else
		node->hole_pages += pages;
}

static bool append_span(struct init_plan *plan, struct init_span span)
{
	struct init_span *last = plan->span_count ? &plan->spans[plan->span_count - 1] : NULL;

	count_span(plan, &span);
	if (last && continues(last, &span)) {
		last->end_pfn = span.end_pfn;
		return true;
	}
	if (plan->span_count == plan->span_capacity)
		return false;
	plan->spans[plan->span_count++] = span;
	return true;
}

/*
 * The longest run of one kind and node from `at`, at most to `end`, which is in the same section.
 *
 *	section    |                                   |
 *	RAM              [ a        )       [ b    )
 *	reserved             [ r )     [ r )
 *	kind       h     f   r   f  h       f      h
 *	node       a                b              b
 */
static struct init_span next_span(struct span_builder *builder, uint64_t at, uint64_t end)
{
	const struct topology *topology = builder->topology;
	const struct ram_range *ram = topology->ram;
	const struct range *cuts = builder->reserved->ranges;
	struct init_span span = { .start_pfn = at, .end_pfn = end, .kind = FRAME_FREE };

	while (builder->ram < topology->ram_count && ram[builder->ram].end_pfn <= at)
		builder->ram++;
	while (builder->cut < builder->reserved->count && cuts[builder->cut].end <= at)
		builder->cut++;
	if (builder->ram == topology->ram_count || ram[builder->ram].start_pfn >= end) {
		lab_assert(builder->ram > 0); /* no RAM ahead: the section's RAM is behind */
		span.kind = FRAME_HOLE;
		span.node = ram[builder->ram - 1].node;
		return span;
	}
	ram += builder->ram;
	span.node = ram->node;
	if (ram->start_pfn > at) {
		span.kind = FRAME_HOLE;
		span.end_pfn = ram->start_pfn;
		return span;
	}
	span.end_pfn = min_u64(end, ram->end_pfn);
	if (builder->cut < builder->reserved->count && cuts[builder->cut].start < span.end_pfn) {
		bool inside = cuts[builder->cut].start <= at;

		span.kind = inside ? FRAME_RESERVED : FRAME_FREE;
		span.end_pfn = inside ? min_u64(span.end_pfn, cuts[builder->cut].end) :
			cuts[builder->cut].start;
	}
	return span;
}

/* Whether another node's RAM lies in the block of 4 MiB at `block`, in which the range `index` of
 * RAM has a part. */
static bool is_mixed(const struct topology *topology, uint32_t index, uint64_t block)
{
	const struct ram_range *ram = topology->ram;

	for (uint32_t i = index; i > 0 && ram[i - 1].end_pfn > block; i--)
		if (ram[i - 1].node != ram[index].node)
			return true;
	for (uint32_t i = index + 1; i < topology->ram_count &&
				     ram[i].start_pfn < block + INIT_BLOCK_PAGES; i++)
		if (ram[i].node != ram[index].node)
			return true;
	return false;
}

/*
 * Decides whether a span is deferred, and shortens it to where that changes. Where deferred parts
 * begin is a section border, and only the first and the last block of a range can be mixed.
 *
 *	blocks    |         |         |         |
 *	RAM       [    node 0  )[     node 1    )
 *	deferred  [ 0  )           [     1      )
 *	early           [ 0    )[1 )
 */
static struct init_span cut_at_mixed_block(const struct span_builder *builder,
					   struct init_span span)
{
	const struct ram_range *ram = &builder->topology->ram[builder->ram];
	uint64_t block = round_down_u64(span.start_pfn, INIT_BLOCK_PAGES);
	uint64_t last = round_down_u64(ram->end_pfn - 1, INIT_BLOCK_PAGES);

	if (span.kind != FRAME_FREE ||
	    span.start_pfn < builder->plan->nodes[span.node].first_deferred_pfn)
		return span;
	if (ram->start_pfn > block || block == last) {
		span.end_pfn = min_u64(span.end_pfn, block + INIT_BLOCK_PAGES);
		span.deferred = !is_mixed(builder->topology, builder->ram, block);
		return span;
	}
	span.end_pfn = min_u64(span.end_pfn, last);
	span.deferred = true;
	return span;
}

/* ZONE_DMA ends inside a section; 4 GiB and where deferred parts begin are section borders. */
static struct init_span cut_at_zone(struct init_span span)
{
	if (span.start_pfn < ZONE_DMA_END_PFN && span.end_pfn > ZONE_DMA_END_PFN)
		span.end_pfn = ZONE_DMA_END_PFN;
	return span;
}

static bool build_spans(struct init_plan *plan, const struct topology *topology,
			const struct memmap *memmap, const struct range_list *reserved)
{
	struct span_builder builder = { plan, topology, reserved, 0, 0 };

	for (uint64_t i = 0; i < memmap->count; i++) {
		uint64_t at = memmap->sections[i].section * SECTION_PAGES;
		uint64_t end = at + SECTION_PAGES;

		while (at < end) {
			struct init_span span = cut_at_zone(next_span(&builder, at, end));

			span = cut_at_mixed_block(&builder, span);
			if (!append_span(plan, span))
				return false;
			at = span.end_pfn;
		}
	}
	lab_assert(plan->total_pages == memmap->count * SECTION_PAGES);
	return true;
}

static bool append_job(struct init_plan *plan, uint32_t node, uint64_t start_pfn, uint64_t end_pfn,
		       const struct init_rules *rules)
{
	uint64_t chunk_pages = rules->split == SPLIT_STATIC ? 0 : rules->chunk_pages;

	if (plan->job_count == plan->job_capacity)
		return false;
	plan->jobs[plan->job_count++] = (struct init_job){
		.job.start = start_pfn,
		.job.size = end_pfn - start_pfn,
		.job.align = chunk_pages ? min_u64(chunk_pages, SECTION_PAGES) : SECTION_PAGES,
		.job.min_chunk = chunk_pages ? chunk_pages : SECTION_PAGES,
		.job.exact_chunk = chunk_pages,
		.job.split = rules->split == SPLIT_STATIC ? DISPATCH_FIXED : DISPATCH_DYNAMIC,
		.node = node,
	};
	plan->nodes[node].job_count++;
	return true;
}

/*
 * One job per free range, except for ranges that end in the section in which the last window did.
 * Another node's frames may lie in a window: its own jobs do them, these skip them.
 *
 *	sections  |     0     |     1     |     2     |
 *	free        [  a  )[ b )  [c )[   d   )
 *	windows     [  a      |[ d                    |       b and c are in those of a and d
 */
static bool build_range_jobs(struct init_plan *plan, uint32_t node, const struct init_rules *rules)
{
	uint64_t window_end = 0;

	for (uint64_t i = 0; i < plan->span_count; i++) {
		uint64_t start = plan->spans[i].start_pfn, end = plan->spans[i].end_pfn;

		if (plan->spans[i].node != node || !plan->spans[i].deferred)
			continue;
		if (start < window_end)
			start = window_end;
		if (start >= end)
			continue;
		window_end = round_up_u64(end, SECTION_PAGES);
		if (!append_job(plan, node, start, window_end, rules))
			return false;
	}
	return true;
}

/* One window over all that is deferred, with the holes and other nodes' parts in between. */
static bool build_zone_job(struct init_plan *plan, uint32_t node, const struct init_rules *rules)
{
	uint64_t end_pfn = 0;

	for (uint64_t i = 0; i < plan->span_count; i++)
		if (plan->spans[i].node == node && plan->spans[i].deferred)
			end_pfn = plan->spans[i].end_pfn;
	return append_job(plan, node, plan->nodes[node].first_deferred_pfn,
			  round_up_u64(end_pfn, SECTION_PAGES), rules);
}

static bool build_node_jobs(struct init_plan *plan, uint32_t node, const struct init_rules *rules)
{
	plan->nodes[node].first_job = plan->job_count;
	if (plan->nodes[node].deferred_pages == 0) {
		plan->nodes[node].first_deferred_pfn = UINT64_MAX;
		return true;
	}
	if (policy_rule(rules->policy)->jobs == JOB_PER_ZONE)
		return build_zone_job(plan, node, rules);
	return build_range_jobs(plan, node, rules);
}

bool init_plan_build(struct init_plan *plan, const struct topology *topology,
		     const struct memmap *memmap, const struct range_list *reserved,
		     const struct init_rules *rules)
{
	plan->span_count = 0;
	plan->job_count = 0;
	plan->visit_count = 0;
	plan->early_pages = 0;
	plan->deferred_pages = 0;
	plan->total_pages = 0;
	memset(plan->nodes, 0, sizeof(plan->nodes));
	find_first_deferred(plan, topology);
	if (!build_spans(plan, topology, memmap, reserved))
		return false;
	for (uint32_t node = 0; node < topology->node_count; node++)
		if (!build_node_jobs(plan, node, rules))
			return false;
	if (!init_plan_assign(plan, topology, rules))
		return false;
	for (uint32_t i = 0; i < plan->job_count; i++)
		plan->jobs[i].job.max_workers = plan->nodes[plan->jobs[i].node].worker_count;
	return true;
}

struct job init_job_from(const struct init_job *planned, uint64_t first_pfn)
{
	struct job rest = planned->job;
	uint64_t end_pfn = rest.start + rest.size;

	if (first_pfn > rest.start) {
		rest.start = min_u64(first_pfn, end_pfn);
		rest.size = end_pfn - rest.start;
	}
	return rest;
}
