/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/bandwidth_work.h"

#include "lab/workers/bandwidth_parts.h"
#include "lab/workers/memory_rate.h"
#include "lib/page_units.h"
#include "lib/stats.h"

enum { CHASE_STEPS = 1024, BYTES_PER_MB = 1000000 };
#define PS_PER_S 1000000000000ull
#define PATTERN 0x0123456789abcdefull

/* ---- bandwidth ------------------------------------------------------------------------------ */

static void use_block(const struct bandwidth_state *b, uint8_t *block)
{
	switch (b->kind) {
	case BANDWIDTH_READ:
		memory_read(block, BANDWIDTH_BLOCK_BYTES);
		break;
	case BANDWIDTH_WRITE:
		memory_write(block, BANDWIDTH_BLOCK_BYTES, PATTERN);
		break;
	case BANDWIDTH_WRITE_NT:
		memory_write_nt(block, BANDWIDTH_BLOCK_BYTES, PATTERN);
		break;
	default:
		store_kernel(b->input->store)->fill((struct page *)(void *)block,
			(struct page *)(void *)(block + BANDWIDTH_BLOCK_BYTES), 0, COUNTS_FREE);
		break;
	}
}

/* Its own blocks over and over until the slice is over. */
static void use_slice(void *argument, uint32_t index)
{
	struct bandwidth_state *b = argument;
	struct bandwidth_worker *w = &b->workers[index];
	uint64_t timeout = b->input->machine->timeout_cycles, start, now;

	w->go_tsc = barrier_wait(b->barrier, timeout);
	if (!w->go_tsc)
		return;
	start = now = bandwidth_now(b);
	for (uint32_t i = 0; !i || now - start < b->slice_cycles; i++) {
		use_block(b, b->blocks[b->list[w->first + i % w->count]]);
		w->bytes += BANDWIDTH_BLOCK_BYTES;
		now = bandwidth_now(b);
	}
	w->end_tsc = now;
}

static void share_blocks(struct bandwidth_state *b, uint32_t blocks, uint32_t workers)
{
	for (uint32_t i = 0; i < workers; i++) {
		uint32_t first = (uint32_t)((uint64_t)blocks * i / workers);
		uint32_t end = (uint32_t)((uint64_t)blocks * (i + 1) / workers);

		b->workers[i] = (struct bandwidth_worker){ .first = first, .count = end - first };
	}
}

/* From the common start until the last one's end. */
static uint32_t total_mbps(struct bandwidth_state *b, uint32_t workers)
{
	uint64_t bytes = 0, longest = 1, mbps;

	for (uint32_t i = 0; i < workers; i++) {
		const struct bandwidth_worker *w = &b->workers[i];
		uint64_t cycles = cycles_between(w->go_tsc, w->end_tsc);

		if (!w->go_tsc) {
			b->results->timed_out = true;
			return 0;
		}
		bytes += w->bytes;
		if (cycles > longest)
			longest = cycles;
	}
	mbps = mul_div_u64(bytes, b->input->tsc_hz, longest) / BYTES_PER_MB;
	return mbps < UINT32_MAX ? (uint32_t)mbps : UINT32_MAX;
}

uint32_t bandwidth_slice(struct bandwidth_state *b, uint32_t node, enum bandwidth_kind kind,
			  enum bandwidth_order order, uint32_t count)
{
	if (!count || b->results->blocks[node] < count)
		return 0; /* two on one block would measure something else */
	b->node = node;
	b->kind = kind;
	b->list = b->lists[order] + node * BANDWIDTH_BLOCKS_MAX;
	share_blocks(b, b->results->blocks[node], count);
	barrier_init(b->barrier, count);
	bandwidth_on(b, count, use_slice, b);
	return total_mbps(b, count);
}

/* ---- the first touch ------------------------------------------------------------------------ */

static void touch_work(void *argument, uint32_t index)
{
	struct bandwidth_state *b = argument;

	(void)index;
	for (uint32_t i = 0; i < b->results->blocks[b->node]; i++)
		for (uint64_t at = 0; at < BANDWIDTH_BLOCK_BYTES; at += PAGE_BYTES)
			memory_write(b->blocks[b->node * BANDWIDTH_BLOCKS_MAX + i] + at,
				     MEMORY_LINE_BYTES, 0);
}

void bandwidth_touch(struct bandwidth_state *b, uint32_t node)
{
	b->node = node;
	bandwidth_on(b, 1, touch_work, b);
}

/* ---- latency -------------------------------------------------------------------------------- */

static void chain_work(void *argument, uint32_t index)
{
	struct bandwidth_state *b = argument;
	uint32_t count = b->results->blocks[b->node];

	(void)index;
	if (count > BANDWIDTH_CHAIN_BLOCKS)
		count = BANDWIDTH_CHAIN_BLOCKS;
	b->chain = memory_chain(b->blocks + b->node * BANDWIDTH_BLOCKS_MAX, count,
				BANDWIDTH_BLOCK_BYTES, PATTERN);
}

void bandwidth_make_chain(struct bandwidth_state *b, uint32_t node)
{
	b->node = node;
	bandwidth_on(b, 1, chain_work, b);
}

static void chase_work(void *argument, uint32_t index)
{
	struct bandwidth_state *b = argument;
	void *at = memory_chase(b->chain, CHASE_STEPS);
	uint64_t start = bandwidth_now(b);

	(void)index;
	b->chase_steps = b->chase_cycles = 0;
	while (!b->chase_steps || b->chase_cycles < b->slice_cycles) {
		at = memory_chase(at, CHASE_STEPS);
		b->chase_steps += CHASE_STEPS;
		b->chase_cycles = bandwidth_now(b) - start;
	}
	b->chain = at;
}

uint32_t bandwidth_latency(struct bandwidth_state *b)
{
	uint64_t ps;

	if (!b->chain)
		return 0;
	bandwidth_on(b, 1, chase_work, b);
	ps = mul_div_u64(b->chase_cycles, PS_PER_S, b->input->tsc_hz) / b->chase_steps;
	return ps < UINT32_MAX ? (uint32_t)ps : UINT32_MAX;
}
