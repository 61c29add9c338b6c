/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What was published of the workload `stream`: how much more goes through than under order0. */
#include "lab/alloc/stream.h"

enum stream_publication {
	STREAM_TWO_SOCKETS, /* series of 2016 (high) */
	STREAM_ONE_SOCKET,  /* the same, an older machine */
	STREAM_LINUX_5_14,  /* merged */
	STREAM_PUBLICATIONS
};

/* Hundredths of a percent at stream_sizes[size]. */
int64_t stream_published_centipercent(uint32_t size, enum stream_publication publication);
