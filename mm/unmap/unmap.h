/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Freeing a huge mapping: the page tables are walked, entries cleared, pages and tables freed. The
 * ways (enum free_way, docs/parallel-free.md) differ in who frees what and how much at a time; all
 * leave an empty address space and the same free pages.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/words.h"
#include "mm/unmap/address_space.h"
#include "mm/unmap/gather.h"

/* How a large mapping is freed. */
enum free_way { FREE_VANILLA, FREE_BATCH, FREE_PIECES, FREE_OWNED, FREE_COUNT };

/* The published settings of the series of 2017: batches that a worker is given at once, the workers
 * at a time, and the pages below which nothing is given away. */
enum {
	BATCH_THRESHOLD_PAGES = 256 * 1024,  /* ASYNC_FREE_THRESHOLD */
	BATCH_GATHER_DEFAULT = (BATCH_THRESHOLD_PAGES + GATHER_PAGES - 1) / GATHER_PAGES,
	BATCH_ACTIVE_DEFAULT = 256,          /* WQ_DFL_ACTIVE */
	BATCH_GATHER_TUNED = 1030,
	BATCH_ACTIVE_TUNED = 64
};

/* A CPU that takes part. The counters are its own. */
struct unmap_rank {
	_Alignas(64) uint32_t cpu; /* index in topology->cpus */
	uint32_t node;             /* of the CPU */
	uint64_t flushes;          /* of TLBs, had there been anything in them */
	uint64_t failures;         /* of allocations of pages for batches */
	uint64_t queued;           /* batch: chains given to workers */
};

struct unmap_job {
	struct address_space *space;
	struct unmap_rank *ranks;
	uint32_t rank_count;
	uint32_t gather;       /* batch: batches per worker */
	bool pieces;           /* pieces: false leaves the drains whole, to compare with */
	uint64_t patience_cycles; /* for what others are waited for, each time */
	void *state;           /* the way's, 64-byte aligned, of any content before prepare() */
	_Alignas(64) _Atomic uint32_t walked; /* ranks that are done with their part; 0 before */
};

struct unmap_way {
	struct word word;
	enum pcp pcp;          /* how pages are kept per CPU meanwhile */
	/* Bytes of state for a job with these settings and at most these numbers of ranks and
	 * entries. Asked before there is a mapping. */
	uint64_t (*bytes)(const struct unmap_job *job);
	/* Once, before the clock starts; allocator and job are set. */
	void (*prepare)(struct unmap_job *job);
	/* On every rank at the same time. */
	void (*work)(struct unmap_job *job, uint32_t rank);
};

extern const struct word_list free_words;

const struct unmap_way *unmap_way(enum free_way way);

const char *free_way_name(enum free_way way);

extern const struct unmap_way unmap_vanilla, unmap_batch, unmap_pieces, unmap_owned;

/* ---- for the ways ---------------------------------------------------------------------------- */

/* Leaf tables [*first, *end) are the rank's, where all walk a part. */
void unmap_share(const struct unmap_job *job, uint32_t rank, uint64_t *first, uint64_t *end);

/* Clears the entries of leaf tables [first, end), and gathers the pages. */
void unmap_pages(const struct unmap_job *job, struct gather *gather, uint64_t first, uint64_t end);

/* Then takes off these tables, and gathers them [Linux free_pgtables]. */
void unmap_leaf_tables(const struct unmap_job *job, struct gather *gather, uint64_t first,
		       uint64_t end);

/* Then all others. */
void unmap_upper_tables(const struct unmap_job *job, struct gather *gather);

/* Called once by every rank; true for the last of them, who then sees all that the others did. */
bool unmap_last(struct unmap_job *job);
