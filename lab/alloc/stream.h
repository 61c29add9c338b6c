/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Experiment `pcp`, workload `stream`: a sender and a receiver on two CPUs, messages of 64 to 16384
 * bytes between them as between two sockets of UDP on one machine, under each way of keeping pages
 * per CPU. It stands for the published runs of netperf UDP_STREAM [Linux-mm 2016-11-27, "High-order
 * per-cpu page allocator v3"; release 5.14, 44042b449872].
 *
 *   sender    allocates the head (256 bytes) and the data, copies the message in from a user's
 *             buffer, charges what both occupy to the receiver's socket, hands the head over
 *   receiver  copies the message out into a user's buffer, takes the charge back, frees data and
 *             head: on another CPU than they were allocated on
 *
 * Data are what alloc_skb asks of kmalloc for such a datagram, the charge is its truesize, and a
 * receiver's socket whose charges have reached its limit takes no more: the kernel would drop the
 * message, here the sender waits (in the published runs what was sent and what was received differ
 * by less than 0.1 % on two sockets). System calls, the protocol, wake-ups and the scheduler are
 * left out: both sides poll. One CPU alone sends up to the limit, then receives.
 *
 * A run is all sizes under one way; the ways take turns, each time beginning with another one, and
 * the first turn is not counted. Every message is numbered in its first and its last eight bytes,
 * which the receiver checks. After each size all slabs, after each run all pages must be back.
 *
 * On a virtual or busy machine one side stands still now and then, for longer than a slice. That is
 * why the rate of a slice is that of its median burst of messages, why a slice with few messages
 * goes on, while there is time up to twenty times as long, and why it has no figure if there are
 * too few in the end; its time and its messages are kept beside. Nor has it one where memory ended
 * before a socket was full. Settings come in the order of their importance, and each may take half
 * of the time that is left.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lab/alloc/crew.h"
#include "lab/alloc/input.h"
#include "mm/slab/slab.h"

enum {
	STREAM_SIZES = 9,
	STREAM_REPEAT_MIN = 5,
	STREAM_RING_SLOTS = 4096,
	STREAM_MESSAGE_MAX = 16384,
	STREAM_BURST = 32, /* messages */
	STREAM_BURSTS_MIN = 5,
	STREAM_BURSTS_MAX = 1024,
	STREAM_QUEUES_MAX = 8,
	STREAM_SETTINGS_MAX = 2 * (STREAM_QUEUES_MAX + 12) + 1, /* pairs: 1, 2, 4 ... 2048 */
	STREAM_QUEUE_TODAY = 851968, /* asked for by the published harness of today */
};

/* Message sizes in bytes, ascending. */
extern const uint32_t stream_sizes[STREAM_SIZES];

/* What is measured, and for how long. */
struct stream_choice {
	uint64_t queue_bytes[STREAM_QUEUES_MAX]; /* asked for; the first also with several pairs */
	uint32_t queue_count;
	uint32_t pairs_max;
	uint32_t slice_us; /* of one measurement, at most */
	uint32_t total_ms; /* of all of them, about */
	bool whole;        /* every byte of every message is written and checked */
	bool impatient;    /* a setting ends with its first turn that counts if fewer than a
			    * quarter of its slices have a figure */
};

/* Pairs of CPUs of one node or of different ones; 0 pairs: one CPU does both. */
struct stream_setting {
	enum crew_place place;
	uint32_t pairs;
	uint64_t queue_bytes;
	uint32_t repetitions; /* done, of those that count: all, or 1: it was given up */
};

/* Of the whole slice. */
struct stream_counters {
	uint64_t page_allocations, page_frees, hits, refills, drains;
	uint64_t zone_acquisitions, zone_contended, zone_wait_cycles;
	uint64_t slab_refills, new_slabs, discarded_slabs, flushes;
	uint64_t list_acquisitions, list_contended, list_wait_cycles;
};

struct stream_sample {
	uint64_t messages; /* received, of all pairs; 0: none came in time */
	uint64_t cycles;   /* by the receivers' clocks, summed */
	uint64_t burst_millicycles; /* a message's in the median of all bursts of STREAM_BURST one
				     * after the other, the mean of the pairs; 0: of one of
				     * them there were fewer than STREAM_BURSTS_MIN */
	uint64_t starved;  /* senders who found no memory; all else is 0 then */
	struct stream_counters counters;
};

struct stream_results {
	enum pcp ways[PCP_COUNT]; /* the first one is PCP_ORDER0: what the others are compared
				   * with; measured even if it was not chosen */
	uint32_t way_count;
	uint32_t repeat;          /* counted ones */
	struct stream_setting settings[STREAM_SETTINGS_MAX];
	uint32_t setting_count;
	uint32_t left_out;        /* further settings, behind the others, for which there was no
				   * time: three times that which all were to take was over */
	struct stream_sample *samples; /* by setting, way, size, repetition */
	uint32_t slice_us;
	uint64_t cycles;          /* of the whole experiment */
	uint32_t runs;            /* that were checked */
	const char *fault;        /* in one clause; NULL: none. It is the end */
	bool free_fault;          /* and it is in allocator->fault */
	enum pcp fault_way;
	uint32_t fault_setting;
};

/* See lab/input.h. */
uint64_t stream_bytes(const struct alloc_input *input);
bool stream_run(const struct alloc_input *input, void *memory, uint64_t bytes,
		struct stream_results *results);

/* The same with other measures than the usual ones; needs as much memory. */
bool stream_run_chosen(const struct alloc_input *input, const struct stream_choice *choice,
		       void *memory, uint64_t bytes, struct stream_results *results);

static inline struct stream_sample *stream_sample(const struct stream_results *results,
						  uint32_t setting, uint32_t way, uint32_t size,
						  uint32_t repetition)
{
	uint64_t run = ((uint64_t)setting * results->way_count + way) * STREAM_SIZES + size;

	return &results->samples[run * results->repeat + repetition];
}
