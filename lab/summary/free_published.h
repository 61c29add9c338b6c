/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What was published of freeing in parallel, and the rows of this machine that are comparable. */
#include "lab/alloc/free.h"

enum { FREE_PUBLISHED = 11, FREE_MOST_WORKERS = 0 };

struct free_published {
	const char *what;
	uint32_t ms, vanilla_ms; /* of the same machine */
	uint64_t pages;
	/* of the row to compare with; FREE_MOST_WORKERS: that with the most */
	enum free_way way;
	uint32_t gather, workers;
};

extern const struct free_published free_published[FREE_PUBLISHED];

/* The row of pages of 4 KiB, as contiguous as asked for, that has had a run; NULL: there is
 * none. */
const struct free_row *free_counterpart(const struct free_results *results,
					const struct free_published *published);
