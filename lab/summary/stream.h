/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Workload `stream`: the slices of one way at one size summed up, and compared with order0. */
#include "lab/alloc/stream.h"
#include "lab/summary/stream_published.h"
#include "lib/bootstrap.h"

enum { STREAM_RATIO_ONE = 100000 };

/* Of all slices, with a figure or without. */
struct stream_sums {
	enum pcp way;
	uint64_t messages;
	uint64_t page_calls; /* allocations and frees of the page allocator */
	struct stream_counters counters;
};

struct stream_summary {
	struct stream_setting setting;
	uint32_t message_bytes;
	enum pcp way;
	bool compared;             /* it is not order0 itself */
	uint32_t count;            /* of repetitions with a figure, under both ways: the rates
				    * are of these */
	uint64_t bits_per_second;  /* harmonic mean over them, of one pair */
	uint64_t baseline_bps;     /* the same under PCP_ORDER0 */
	int64_t change_centipercent; /* of the former against the latter; 0: unknown */
	struct interval ratio;     /* of the repetitions' ratios to PCP_ORDER0: STREAM_RATIO_ONE is
				    * no change. Known: all of the above rests on enough slices */
	int64_t low_centipercent, high_centipercent; /* its ends, as changes */
	uint64_t millicycles;      /* of a message in the median burst: the mean of the
				    * repetitions */
	int64_t published_centipercent[STREAM_PUBLICATIONS]; /* changes */
	struct stream_sums sums;
};

/* One size; all sizes. */
struct stream_sums stream_sum(const struct stream_results *results, uint32_t setting, uint32_t way,
			      uint32_t size);
struct stream_sums stream_sum_all(const struct stream_results *results, uint32_t setting,
				  uint32_t way);

void stream_summarise(const struct stream_results *results, uint64_t tsc_hz, uint32_t setting,
		      uint32_t way, uint32_t size, struct stream_summary *summary);

/* Whether the comparison is known at any size. */
bool stream_known(const struct stream_results *results, uint32_t setting, uint32_t way);
