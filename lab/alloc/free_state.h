/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A run of the experiment `free`: who takes part, the mapping, and the way that frees it. */
#include "lab/alloc/crew.h"
#include "lab/alloc/free.h"
#include "lab/alloc/pages_check.h"
#include "lab/run/arena.h"

struct free_state {
	const struct alloc_input *input;
	struct free_results *results;
	struct page_allocator *allocator;
	void *allocator_memory;
	uint32_t *cpus;           /* online ones: first the walker, then nodes in turn */
	uint32_t cpu_count;
	struct crew_start *crew;
	struct pages_state before;
	uint64_t *bitmap;
	uint64_t bitmap_words;
	uint64_t began_tsc;
	uint32_t runs;            /* begun */

	/* the mapping that is built and freed */
	struct address_space space;
	struct address_space_supply *supply; /* per mapping */
	struct job_state *fill;   /* over leaf tables */
	uint32_t fragment;
	_Atomic uint32_t fill_failures;

	/* the current run */
	struct unmap_job *job;
	const struct unmap_way *way;
	struct unmap_rank *ranks;
	struct worker_end *ends;  /* per rank */
	void *way_state;
};

/* Written by one CPU while all work. */
struct worker_end {
	_Alignas(64) uint64_t tsc; /* 0: has not worked */
};
