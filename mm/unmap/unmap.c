/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/unmap/unmap.h"

static const struct unmap_way *const ways[FREE_COUNT] = {
	[FREE_VANILLA] = &unmap_vanilla,
	[FREE_BATCH] = &unmap_batch,
	[FREE_PIECES] = &unmap_pieces,
	[FREE_OWNED] = &unmap_owned,
};

const struct unmap_way *unmap_way(enum free_way way)
{
	return ways[way];
}

static const struct word *word_at(uint32_t way)
{
	return &ways[way]->word;
}

const struct word_list free_words = { FREE_COUNT, word_at, NULL, NULL };

const char *free_way_name(enum free_way way)
{
	return word_name(&free_words, way);
}

void unmap_share(const struct unmap_job *job, uint32_t rank, uint64_t *first, uint64_t *end)
{
	uint64_t tables = address_space_leaf_tables(job->space);

	*first = tables * rank / job->rank_count;
	*end = tables * (rank + 1) / job->rank_count;
}

void unmap_pages(const struct unmap_job *job, struct gather *gather, uint64_t first, uint64_t end)
{
	uint32_t order = address_space_order(job->space);

	for (uint64_t table = first; table < end; table++) {
		uint64_t *entries = address_space_leaf(job->space, table);

		for (uint32_t i = 0; entries && i < TABLE_ENTRIES; i++) {
			uint64_t entry = entries[i];

			if (!(entry & ENTRY_PRESENT))
				continue;
			entries[i] = 0;
			gather_add(gather, entry_pfn(entry), order);
		}
	}
}

void unmap_leaf_tables(const struct unmap_job *job, struct gather *gather, uint64_t first,
		       uint64_t end)
{
	for (uint64_t table = first; table < end; table++) {
		uint64_t pfn = address_space_cut_leaf(job->space, table);

		if (pfn != BUDDY_NONE)
			gather_add(gather, pfn, 0);
	}
}

static void gather_table(void *context, uint64_t pfn)
{
	gather_add(context, pfn, 0);
}

void unmap_upper_tables(const struct unmap_job *job, struct gather *gather)
{
	address_space_close(job->space, gather_table, gather);
}

bool unmap_last(struct unmap_job *job)
{
	return atomic_fetch_add_explicit(&job->walked, 1, memory_order_acq_rel) + 1 ==
	       job->rank_count;
}
