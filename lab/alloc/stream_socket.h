/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How much memory a datagram takes, and how much of it a socket takes [Linux 4.9]. */
#include <stdint.h>

struct stream_socket {
	uint32_t asked_bytes;    /* of kmalloc, for headers, message and skb_shared_info */
	uint64_t usable_bytes;   /* what kmalloc gives for that */
	uint64_t truesize_bytes; /* what a message is charged with */
	uint64_t limit_bytes;    /* of the receiver's socket */
	uint32_t in_flight;      /* messages that it takes until it has reached its limit, but no
				  * more than the ring has slots */
};

/* For messages of `message_bytes` and a receive buffer for which the user asked with SO_RCVBUF;
 * `queue_bytes` 0: for the message and 256 bytes more, as in the published runs of 2016. */
struct stream_socket stream_socket(uint32_t message_bytes, uint64_t queue_bytes);
