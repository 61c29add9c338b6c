/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Parallel free as the series of 2017, version 2: one CPU walks and gathers on; when it has filled
 * all the batches it may, a worker frees them, if they are at least 256K pages [Aaron Lu, "mm:
 * support parallel free of memory", v2, patches 2, 3 and 5]. What the walker cannot give away it
 * frees itself, as it does the bundle; in the end it waits for the workers and does not help.
 *
 *   walker  gather 256K | gather 256K | gather 256K | rest, tables | wait
 *   queue               ^chain 0      ^chain 1      ^chain 2
 *   worker 1             free chain 0  ----------------> free chain 2
 *   worker 2                           free chain 1 -->
 *
 * Linux's queue is a list without an end, and so is this one: it has room for all chains that the
 * mapping can fill. Workers are kernel threads there, CPUs that wait for work here.
 */
#include "mm/unmap/unmap.h"

/* Way batch: how many chains of batches a walker gives away that gathers that number of pages. */
uint64_t unmap_batch_chains(uint64_t pages, uint32_t gather);
