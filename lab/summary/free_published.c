/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/summary/free_published.h"

#include <stddef.h>

enum { MOST = FREE_MOST_WORKERS };

/*
 * [Lu 2017, "mm: support parallel free of memory", versions 1 and 2, and answers: malloc and free
 * of 320 GB on 4 sockets, 72 cores; of 1 TB on 64 sockets, 1024 cores (Thorlton), once with 64
 * workers at a time and 1030 batches for each]. Pages of 4 KiB.
 */
const struct free_published free_published[FREE_PUBLISHED] = {
	{ "320 GB, Linux 4.10", 10800, 10800, 80ull << 20, FREE_VANILLA, 0, 1 },
	{ "320 GB, 1 worker", 8900, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 1 },
	{ "320 GB, 2 workers", 5650, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 2 },
	{ "320 GB, 4 workers", 4840, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 4 },
	{ "320 GB, 8 workers", 4770, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 8 },
	{ "320 GB, 16 workers", 4850, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 16 },
	{ "320 GB, 32 workers", 6210, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, 32 },
	{ "320 GB, default", 5795, 10800, 80ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, MOST },
	{ "1 TB, before", 41690, 41690, 256ull << 20, FREE_VANILLA, 0, 1 },
	{ "1 TB, default", 23170, 41690, 256ull << 20, FREE_BATCH, BATCH_GATHER_DEFAULT, MOST },
	{ "1 TB, 64 and 1030", 22220, 41690, 256ull << 20, FREE_BATCH, BATCH_GATHER_TUNED, MOST },
};

static bool fits(const struct free_results *results, const struct free_row *row,
		 const struct free_published *p)
{
	return row->mapping == MAPPING_4K && row->fragment == results->rows[0].fragment &&
	       row->way == p->way && row->count &&
	       (row->way == FREE_VANILLA ||
		results->settings[row->setting].gather == p->gather) &&
	       (p->workers == FREE_MOST_WORKERS || row->workers == p->workers);
}

const struct free_row *free_counterpart(const struct free_results *results,
					const struct free_published *published)
{
	const struct free_row *found = NULL;

	for (uint32_t i = 0; i < results->row_count; i++)
		if (fits(results, &results->rows[i], published))
			found = &results->rows[i];
	return found;
}
