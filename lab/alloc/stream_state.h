/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A run of the workload `stream`: sockets and who uses them, and what is measured at the moment. */
#include "lab/alloc/pages_check.h"
#include "lab/alloc/stream.h"
#include "lab/alloc/stream_socket.h"
#include "lab/run/arena.h"

/* As struct sk_buff: what is known of a message, and where its bytes are. */
struct stream_head {
	uint64_t number;
	uint8_t *data;
	uint64_t truesize_bytes;
	uint32_t length;
	uint8_t rest[SLAB_SKB_HEAD_BYTES - 64 - 28]; /* alloc_skb clears all but the last line */
};

/* A socket and both who use it. What one side alone writes has cache lines of its own; the charge
 * is written by both, as sk_rmem_alloc is. */
struct stream_pair {
	_Alignas(64) _Atomic uint64_t sent;     /* messages so far */
	_Atomic bool closed;                    /* no more will come */
	_Alignas(64) _Atomic uint64_t charged_bytes;
	_Alignas(64) struct stream_head *slots[STREAM_RING_SLOTS];
	/* the sender's */
	_Alignas(64) uint32_t sender_cpu, node; /* whose memory it takes */
	uint8_t *sender_user;
	bool out_of_memory;
	/* the receiver's */
	_Alignas(64) uint32_t receiver_cpu;
	uint8_t *receiver_user;
	uint64_t received, damaged, cycles;
	uint64_t burst_from, burst_tsc; /* messages before the current burst, and its beginning */
	uint32_t burst_count;
	uint64_t bursts[STREAM_BURSTS_MAX]; /* cycles of STREAM_BURST messages each */
	bool timed_out;
};

struct stream_state {
	const struct alloc_input *input;
	const struct stream_choice *choice;
	struct stream_results *results;
	uint64_t slice_cycles, start_tsc;
	uint64_t end_tsc;            /* no setting is begun that would not be done by then */
	void *allocator_memory, *slab_memory;
	struct slab_layer layer;
	struct pages_state before;   /* everything is free */
	uint32_t *crews[2];          /* by place */
	uint32_t pair_counts[2];     /* by place; 0: one CPU does both, or the place is none */
	bool place_exists[2];
	struct crew_start *crew;
	struct stream_pair *pairs;
	uint32_t index, count;       /* runs begun, and all */
	/* the current setting */
	uint64_t setting_end_tsc;    /* from here on no slice is longer than it must be */
	uint32_t slices_left;
	/* the current measurement */
	uint32_t message_bytes;
	struct stream_socket socket;
	uint64_t longest_cycles;     /* of the slice, should it have few messages */
};
