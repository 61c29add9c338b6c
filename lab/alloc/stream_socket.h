/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How much memory a datagram takes, and how much of it a socket takes [Linux 4.9]. */
#include "lab/alloc/stream.h"

/* For messages of so many bytes and a receive buffer for which the user asked with SO_RCVBUF;
 * `queue_bytes` 0: for the message and 256 bytes more, as in the published runs of 2016. */
struct stream_socket stream_socket(uint32_t message_bytes, uint64_t queue_bytes);
