/* SPDX-License-Identifier: GPL-2.0-only */
#include "mm/pcp/pcp_marks.h"

#include "lib/minmax.h"
#include "lib/page_units.h"
#include "mm/pcp/pcp_sets.h"

/* The largest power of two that is not above `value`, which is not 0. */
static uint64_t power_below(uint64_t value)
{
	return 1ull << (63 - __builtin_clzll(value));
}

/* One less than a power of two, that tasks which allocate in turn do not get pages of the same
 * cache colours each. 0 for the smallest zones. */
static uint32_t batch_of(uint64_t zone_pages, uint64_t most_bytes)
{
	uint64_t batch = max_u64(min_u64(zone_pages / 1024, most_bytes / PAGE_BYTES) / 4, 1);

	return (uint32_t)power_below(batch + batch / 2) - 1;
}

struct pcp_marks pcp_marks_order0(const struct pcp_zone_size *zone)
{
	uint32_t batch = batch_of(zone->pages, 512 << 10);

	return (struct pcp_marks){ .batch = max_u32(batch, 1), .high = 6 * batch };
}

struct pcp_marks pcp_marks_high(const struct pcp_zone_size *zone)
{
	uint32_t batch = batch_of(zone->pages, 512 << 10);

	return (struct pcp_marks){ .batch = max_u32(batch, 1),
				   .high = batch * PCP_TYPES + (batch << PCP_COSTLY_ORDER) };
}

/* Rounded down. */
static uint64_t square_root(uint64_t value)
{
	uint64_t root = 0;

	for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= value)
			root += bit;
	return root;
}

/* Of the machine, before khugepaged raises it [Linux 5.14 init_per_zone_wmark_min]. */
static uint64_t min_free_pages(uint64_t all_pages)
{
	uint64_t kib = square_root(all_pages * (PAGE_BYTES >> 10) * 16);

	return clamp_u64(kib, 128, 262144) / (PAGE_BYTES >> 10);
}

/* The zone's share of that, and above it a quarter or a thousandth of the zone
 * [Linux 5.14 __setup_per_zone_wmarks, watermark_scale_factor 10]. */
static uint64_t low_watermark(const struct pcp_zone_size *zone)
{
	uint64_t min = min_free_pages(zone->all_pages) * zone->pages / max_u64(zone->all_pages, 1);

	return min + max_u64(min / 4, zone->pages / 1000);
}

struct pcp_marks pcp_marks_merged(const struct pcp_zone_size *zone)
{
	uint64_t batch = max_u64(batch_of(zone->pages, 1 << 20), 1);
	uint64_t high = low_watermark(zone) / max_u64(zone->cpus, 1);

	return (struct pcp_marks){ .batch = (uint32_t)batch,
				   .high = (uint32_t)max_u64(high, 4 * batch) };
}
