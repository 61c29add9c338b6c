/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/stream_socket.h"

#include "lab/alloc/stream.h"
#include "lib/minmax.h"
#include "lib/round.h"
#include "mm/slab/slab_size.h"

const uint32_t stream_sizes[STREAM_SIZES] = { 64, 128, 256, 1024, 2048, 3312, 4096, 8192, 16384 };

enum {
	LINE_BYTES = 64,
	/* net/ipv4/ip_output.c __ip_append_data: both headers, 16 bytes for that of the loopback
	 * device (LL_RESERVED_SPACE of ETH_HLEN), 15 to align by */
	HEADER_BYTES = 20 + 8 + 16 + 15,
	/* include/linux/skbuff.h: struct skb_shared_info with 17 fragments, in cache lines */
	SHARED_INFO_BYTES = 320,
	/* include/net/sock.h TCP_SKB_MIN_TRUESIZE, which is SOCK_MIN_RCVBUF */
	RECEIVE_MIN_BYTES = 2048 + SLAB_SKB_HEAD_BYTES,
	QUEUE_EXTRA_BYTES = 256, /* mmtests of 2016: -s and -S are the size and that */
};

/* net/core/skbuff.c __alloc_skb, include/linux/skbuff.h SKB_TRUESIZE. */
static void size_data(struct stream_socket *socket, uint32_t message_bytes)
{
	socket->asked_bytes = (uint32_t)round_up_u64(message_bytes + HEADER_BYTES, LINE_BYTES) +
			      SHARED_INFO_BYTES;
	socket->usable_bytes = slab_usable_bytes(socket->asked_bytes);
	socket->truesize_bytes = socket->usable_bytes + SLAB_SKB_HEAD_BYTES;
}

/* net/core/sock.c sock_setsockopt doubles what is asked for; __sock_queue_rcv_skb takes a message
 * as long as the charges before it are below the limit, however large it is. */
struct stream_socket stream_socket(uint32_t message_bytes, uint64_t queue_bytes)
{
	uint64_t asked = queue_bytes ? queue_bytes : message_bytes + QUEUE_EXTRA_BYTES, fit;
	struct stream_socket socket;

	size_data(&socket, message_bytes);
	socket.limit_bytes = max_u64(2 * asked, RECEIVE_MIN_BYTES);
	fit = div_round_up_u64(socket.limit_bytes, socket.truesize_bytes);
	if (fit > STREAM_RING_SLOTS) {
		fit = STREAM_RING_SLOTS;
		socket.limit_bytes = fit * socket.truesize_bytes;
	}
	socket.in_flight = (uint32_t)fit;
	return socket;
}
