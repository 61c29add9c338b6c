/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Where the report's judgements change: the only place with these numbers. What they are compared
 * with is said here, how is said where the judgement is made.
 */
#include "lib/bootstrap.h"
#include "mm/init/worker_rules.h"

enum {
	/* A time in percent of the least one, up to which fewer workers are enough: the knee of a
	 * curve. Rule calibrated itself stops there, hence the number's place below the lab. */
	THRESHOLD_KNEE_PERCENT = KNEE_PERCENT,

	/* Standard deviation in percent of the mean, above which a median is not to be quoted
	 * (experiment init) or relied on (advice on numbers of workers). */
	THRESHOLD_STDDEV_PERCENT = 5,

	/* Bound of the distance of two CPUs' clocks in percent of a median, above which a time that
	 * spans two CPUs is not to be quoted. Less than the limit above: the error is the same in
	 * all runs, and no number of runs makes it smaller. */
	THRESHOLD_CLOCK_PERCENT = 1,

	/* Experiments on the page allocator: standard deviation in percent of the mean (pcp), or
	 * distance of most and least in percent of the median (free), above which a figure is
	 * scattered; and which part of all figures may be, before none is to be passed on. Their
	 * slices are short, so that one interruption weighs more: hence the wider limit. */
	THRESHOLD_SCATTER_PERCENT = 10,
	THRESHOLD_UNSTEADY_SHARE = 4,

	/* A median of fewer runs is not relied on in advice on numbers of workers. */
	THRESHOLD_RELIABLE_RUNS = BOOTSTRAP_VALUES_MIN,

	/* A run that takes that many times the median of its policy, of three runs at least:
	 * something else had the CPUs, or the machine stood still. */
	THRESHOLD_STALL_FACTOR = 4,
	THRESHOLD_STALL_RUNS = 3,

	/* A figure of the firmware by which what was found is more or less: it is off. */
	THRESHOLD_FIRMWARE_FACTOR = 2,
};
