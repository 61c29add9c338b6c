/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The deferred frames of a node inside a window, piece by piece in ascending order:
 *
 *   window         [from_pfn                                     to_pfn)
 *   spans     [ deferred ][ reserved ][ other node ][ deferred ][ hole ][ deferred ]
 *   pieces         [     )                          [          )        [  )
 */
#include <stdbool.h>
#include <stdint.h>

#include "mm/init/plan.h"

struct init_pieces {
	const struct init_plan *plan;
	uint32_t node;
	uint64_t next_span;          /* index of the first span not looked at yet */
	uint64_t from_pfn, to_pfn;
	uint64_t start_pfn, end_pfn; /* the current piece; none before the first step */
};

/* Before the first piece. */
struct init_pieces init_pieces_in(const struct init_plan *plan, uint32_t node, uint64_t from_pfn,
				  uint64_t to_pfn);

/* The next piece; false when there is none left. */
bool init_pieces_next(struct init_pieces *pieces);

/* Before the first piece of a window that begins inside the current piece, without a search. */
struct init_pieces init_pieces_within(const struct init_pieces *pieces, uint64_t from_pfn,
				      uint64_t to_pfn);
