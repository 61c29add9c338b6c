#pragma once
/* What the files of the experiment `free` share. */
#include "lab/alloc/free_run.h"
#include "lab/run/timed_run.h"

struct free_state {
	const struct alloc_input *input;
	struct free_results *results;
	struct page_allocator *allocator;
	void *allocator_memory;
	uint32_t *cpus;           /* online ones: first the walker, then nodes in turn */
	uint32_t cpu_count;
	struct crew *crew;
	struct pages_state before;
	uint64_t *bitmap;
	uint64_t bitmap_words;
	uint64_t began_tsc;
	uint32_t runs;            /* begun */

	/* the mapping in hand */
	struct address_space space;
	struct address_space_supply *supply; /* per mapping */
	struct job_state *fill;   /* over leaf tables */
	uint32_t fragment;
	_Atomic uint32_t fill_failures;

	/* the run in hand */
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

/* ---- lab/alloc/free_rows.c ------------------------------------------------------------------- */

/* The settings of batch that run, without their chains; returns how many. */
uint32_t free_settings(const struct options *options,
		       struct free_setting settings[FREE_SETTINGS_MAX]);

/* All rows, once sizes and CPUs are known. */
void free_rows(struct free_state *s);

/* ---- lab/alloc/free_mapping.c ---------------------------------------------------------------- */

/* How large mappings are, and whose memory they get. */
void free_sizes(struct free_state *s);

/* Builds a mapping on all CPUs. What is wrong, in one clause, or NULL; then nothing of it may be
 * there. */
const char *free_build(struct free_state *s, enum mapping mapping, uint32_t fragment);

/* Takes it apart on the boot CPU, whatever is there of it. */
void free_discard(struct free_state *s);

/* ---- lab/alloc/free_inject.c ----------------------------------------------------------------- */

/* Puts the deliberate fault that the options ask for into the mapping: for ways that were chosen,
 * not for vanilla where it only stands beside them. */
void free_inject(struct free_state *s);
