/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Workload `stream`: what the ways change against order0, whether that is what was published, and
 * what would explain it. */
#include "lab/summary/stream.h"

/* One way under one setting, over all sizes. */
struct stream_gains {
	enum pcp way;
	uint32_t figures;        /* sizes at which the comparison is known: the others count for
				  * nothing below */
	uint32_t faster, slower; /* the whole interval lies on one side */
	uint32_t reached;        /* the gain that was published of two sockets in 2016, or more */
	int64_t least_centipercent, most_centipercent; /* change; both 0 without any figure */
};

struct stream_gains stream_gains(const struct stream_results *results, uint64_t tsc_hz,
				 uint32_t setting, uint32_t way);

/* The first setting with a figure of order0 at any size, else their number. */
uint32_t stream_lead(const struct stream_results *results);

/* Slices that were measured, and why some have no figure. */
struct stream_gaps {
	uint64_t slices;
	uint64_t slow;    /* a CPU stood still: too few bursts came */
	uint64_t starved; /* memory ended before the socket was full */
};

struct stream_gaps stream_gaps(const struct stream_results *results);

/*
 * What a call of the page allocator would have to have cost so that the published gain (two
 * sockets, 2016) comes of calls that cost nothing any more. `order0` is the summary of order0 at
 * that size. False: there were no calls, or no time is known.
 */
bool stream_needed_cycles(const struct stream_summary *order0, uint32_t size, uint64_t *cycles);
