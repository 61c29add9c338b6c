/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Objects smaller than pages, after Linux's SLUB as of release 4.9, the kernel of the published
 * runs: caches of 8 to 8192 bytes for kmalloc, larger requests straight from the page allocator,
 * and one cache for the heads of socket buffers [Linux 4.9 mm/slub.c, include/linux/slab.h].
 *
 *   CPU    current slab: a list of free objects that only this CPU touches
 *          partial slabs: frozen, this CPU's; filled by frees to slabs that were full
 *   node   partial slabs, under a lock; empty ones beyond min_partial go to the page allocator
 *
 * A free to the CPU's current slab is local. Any other is a compare-and-exchange on the slab's
 * state, no matter which CPU owns the slab. A free to a full slab makes it the freeing CPU's; when
 * this CPU's partial slabs held more than cpu_partial free objects, counted when each slab came,
 * they all move to their nodes' lists at once: since then most of them have become empty, and what
 * is beyond min_partial goes back to the page allocator. So it is where one CPU allocates and
 * another frees.
 *
 * The state of a slab lives in the struct page of its head: `private_data` the first free object,
 * the number of objects in use and whether a CPU owns it; `mapping` which cache; `lru` its list.
 * In its other pages `mapping` leads to the head, as a compound page's does [Linux
 * prep_compound_page]. All are put back before the pages are freed.
 *
 * Left out: interrupts, which do not allocate here; debugging, merging of caches, NUMA policies.
 */
#include <stdbool.h>
#include <stdint.h>

#include "mm/pcp/page_alloc.h"

enum {
	SLAB_KMALLOC_CACHES = 13, /* 8, 16, 32, 64, 96, 128, 192, 256, 512 ... 8192 bytes */
	SLAB_SKB_HEAD = SLAB_KMALLOC_CACHES,
	SLAB_CACHE_COUNT,
	SLAB_KMALLOC_MAX_BYTES = 8192, /* two pages [Linux KMALLOC_MAX_CACHE_SIZE] */
	SLAB_SKB_HEAD_BYTES = 256,     /* struct sk_buff, 232 bytes in cache lines */
	SLAB_ORDER_MAX = 3,            /* [Linux slub_max_order] */
};

struct slab_cache {
	uint32_t object_bytes; /* a multiple of 8 */
	uint32_t order;        /* pages of a slab */
	uint32_t objects;      /* of a slab */
	uint32_t reciprocal;   /* floor(2^32 / object_bytes) + 1 */
	uint32_t min_partial;  /* slabs that a node keeps even if they are empty */
	uint32_t cpu_partial;  /* free objects in a CPU's partial slabs */
};

/* Counted by each CPU for itself. */
struct slab_stats {
	_Alignas(64) uint64_t allocations, frees; /* of objects, and of blocks of pages */
	uint64_t remote_frees;   /* to a slab that is not the CPU's current one */
	uint64_t refills;        /* allocations that found the CPU's list empty */
	uint64_t new_slabs, discarded_slabs; /* from and to the page allocator */
	uint64_t blocks, freed_blocks;       /* kmalloc beyond SLAB_KMALLOC_MAX_BYTES */
	uint64_t flushes;        /* of the CPU's partial slabs to the nodes */
	uint64_t failures;
};

/* A CPU's part of a cache. */
struct slab_cpu {
	_Alignas(64) struct page *page; /* its current slab; NULL: none */
	uint8_t *bytes;                 /* where that begins */
	uint32_t freelist;              /* of `page`: offset / 8, or SLAB_NONE */
	struct page *partial;           /* last one first */
};

/* A node's part of a cache. */
struct slab_node {
	_Alignas(64) struct zone_lock lock;
	struct page_list partial;
	_Atomic uint32_t partial_count; /* written under the lock */
};

struct slab_layer {
	struct page_allocator *allocator;
	struct page *pages;  /* the memmap */
	uint8_t *base;       /* the bytes of frame pfn: base + pfn * PAGE_BYTES */
	uint32_t node_count;
	struct slab_cache caches[SLAB_CACHE_COUNT];
	struct slab_cpu *cpus;   /* [cpu][cache] */
	struct slab_node *nodes; /* [node][cache] */
	struct slab_stats *stats; /* per CPU */
	_Atomic uint64_t fault_count; /* frees of what is no object in use; nothing is freed then,
				       * and free objects that somebody has written to */
};

/* Bytes for the CPUs of `allocator`, 64-byte aligned. */
uint64_t slab_layer_bytes(const struct page_allocator *allocator, uint32_t node_count);

/* Sets everything; no cache has a slab. The allocator has been set up before. */
void slab_layer_init(struct slab_layer *layer, struct page_allocator *allocator, uint8_t *base,
		     uint32_t node_count, void *memory);

/* An object of a cache, or kmalloc: at least `bytes`. `cpu` is the calling CPU, `node` where
 * memory is taken from first. NULL: there is none. */
void *slab_alloc(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint32_t cache);
void *slab_kmalloc(struct slab_layer *layer, uint32_t cpu, uint32_t node, uint64_t bytes);

/* Gives back what either of them handed out. What is no object, or no longer one, is a fault. */
void slab_free(struct slab_layer *layer, uint32_t cpu, void *object);
