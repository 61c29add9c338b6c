/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Where the report's judgements change: the only place with these numbers. What they are compared
 * with is said here, how is said where the judgement is made.
 */

enum {
	/* Experiments on the page allocator: standard deviation in percent of the mean (pcp), or
	 * distance of most and least in percent of the median (free), above which a figure is
	 * scattered; and which part of all figures may be, before none is to be passed on. */
	THRESHOLD_SCATTER_PERCENT = 10,
	THRESHOLD_UNSTEADY_SHARE = 4,
};
