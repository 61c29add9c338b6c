/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How many pages each generation of Linux keeps. */
#include <stdint.h>

struct pcp_marks {
	uint32_t batch; /* from and to the zone at once */
	uint32_t high;  /* pages of a set; as many are too many */
};

/* What a zone's marks are worked out from, in managed pages. */
struct pcp_zone_size {
	uint64_t pages;     /* of the zone */
	uint64_t all_pages; /* of all zones */
	uint32_t cpus;      /* that share it: the node's, or all if it has none */
};

/* [Linux 4.9 zone_batchsize, pageset_set_batch]: a thousandth of the zone, at most 512 KiB; of that
 * a quarter, made one less than a power of two. Six batches are kept. */
struct pcp_marks pcp_marks_order0(const struct pcp_zone_size *zone);

/* The same batch; kept are one for each migratetype and one of order 3, in pages, so that a refill
 * rarely makes the next free a drain [Gorman, High-order per-cpu page allocator, 2016]. */
struct pcp_marks pcp_marks_high(const struct pcp_zone_size *zone);

/* [Linux 5.14 zone_batchsize, zone_highsize]: a thousandth, at most 1 MiB. All CPUs together keep
 * what the low watermark says is free at least; each of them four batches. */
struct pcp_marks pcp_marks_merged(const struct pcp_zone_size *zone);
