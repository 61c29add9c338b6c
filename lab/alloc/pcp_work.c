/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/pcp_work.h"

#include "lab/alloc/pcp_bench_state.h"

/* The clock is read after that number of operations, or after each batch where that is more. */
enum { ROUND_OPERATIONS = 32 };

/* Returns its operations; 0: there was not enough memory, and what there was is given back. */
typedef uint32_t round_function(struct pcp_bench_state *s, const struct pcp_worker *w);

static uint32_t one_by_one(struct pcp_bench_state *s, const struct pcp_worker *w)
{
	struct page_allocator *allocator = s->input->allocator;
	uint32_t order = s->cell->order;

	for (uint32_t i = 0; i < ROUND_OPERATIONS; i++) {
		uint64_t pfn = page_alloc(allocator, w->cpu, w->node, order);

		if (pfn == BUDDY_NONE)
			return 0;
		page_free(allocator, w->cpu, pfn, order);
	}
	return ROUND_OPERATIONS;
}

static uint32_t allocate_then_free(struct pcp_bench_state *s, const struct pcp_worker *w)
{
	struct page_allocator *allocator = s->input->allocator;
	uint32_t batch = s->cell->batch, done = 0, count;

	do {
		for (count = 0; count < batch; count++) {
			w->pfns[count] = page_alloc(allocator, w->cpu, w->node, 0);
			if (w->pfns[count] == BUDDY_NONE)
				break;
		}
		for (uint32_t i = 0; i < count; i++)
			page_free(allocator, w->cpu, w->pfns[i], 0);
		done += count;
	} while (count == batch && done < ROUND_OPERATIONS);
	return count == batch ? done : 0;
}

static uint32_t many_at_once(struct pcp_bench_state *s, const struct pcp_worker *w)
{
	struct page_allocator *allocator = s->input->allocator;
	uint32_t batch = s->cell->batch, done = 0, count;

	do {
		count = page_alloc_many(allocator, w->cpu, w->node, w->pfns, batch);
		page_free_many(allocator, w->cpu, w->pfns, count);
		done += count;
	} while (count == batch && done < ROUND_OPERATIONS);
	return count == batch ? done : 0;
}

static round_function *round_of(enum pcp_bench bench)
{
	switch (bench) {
	case PCP_OUTSTANDING:
		return allocate_then_free;
	case PCP_BULK:
		return many_at_once;
	default:
		return one_by_one;
	}
}

static void run_rounds(struct pcp_bench_state *s, struct pcp_worker *w, uint64_t slice_cycles)
{
	round_function *round = round_of(s->cell->bench);
	uint64_t start = alloc_now(s->input), now, operations;

	w->operations = 0;
	do {
		operations = round(s, w);
		w->operations = operations ? w->operations + operations : 0;
		now = alloc_now(s->input);
	} while (operations && now - start < slice_cycles);
	w->cycles = now - start;
}

void pcp_work(void *argument, uint32_t index)
{
	struct pcp_bench_state *s = argument;
	struct pcp_worker *w = &s->workers[index];

	run_rounds(s, w, s->warm_cycles);
	if (w->operations)
		run_rounds(s, w, s->slice_cycles);
}
