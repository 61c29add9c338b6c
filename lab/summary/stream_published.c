/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/stream_published.h"

enum { CENTIPERCENT_PER_TENTH = 10 };

/*
 * Tenths of a percent [Gorman 2016-11-27, netperf UDP_STREAM to localhost, 4.9.0-rc5, harmonic
 * means: two sockets; one socket, six years old] and [Linux 5.14 commit 44042b449872, on
 * 5.13.0-rc2].
 */
static const uint16_t published[STREAM_SIZES][STREAM_PUBLICATIONS] = {
	{ 439, 454, 19 }, { 444, 471, 40 }, { 496, 466, 20 },
	{ 468, 461, 35 }, { 475, 428, 35 }, { 455, 425, 32 },
	{ 371, 399, 29 }, { 354, 383, 49 }, { 199, 314, 23 },
};

int64_t stream_published_centipercent(uint32_t size, enum stream_publication publication)
{
	return (int64_t)published[size][publication] * CENTIPERCENT_PER_TENTH;
}
