/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/run/allocator.h"

#include "lab/run/hoard.h"
#include "lib/string.h"
#include "mm/buddy/buddy_census.h"
#include "mm/buddy/buddy_take.h"
#include "mm/init/verify_pageblocks.h"

static bool census_good(const struct allocator_sample *sample,
			const struct buddy_census *census)
{
	return !census->faults && census->free_pages == sample->expected_free_pages &&
	       census->managed_pages == sample->expected_free_pages;
}

/* Lazy blocks may have become whole meanwhile: that is no change. */
static bool same_blocks(const struct lab *lab, const struct allocator_sample *sample)
{
	struct buddy_census now;

	buddy_census(lab->input->buddy, lab->input->memmap, &now);
	return census_good(sample, &now) && now.digest == sample->census.digest;
}

static bool read_counters(const struct buddy *buddy, struct allocator_sample *sample)
{
	sample->poison_reads = atomic_load(&buddy->poison_reads);
	sample->typed_twice = atomic_load(&buddy->typed_twice);
	sample->double_frees = atomic_load(&buddy->double_frees);
	return !sample->poison_reads && !sample->typed_twice && !sample->double_frees;
}

static bool exercise(struct lab *lab, struct allocator_sample *sample)
{
	uint64_t first_pfn = lab->input->topology->ram[0].start_pfn;
	bool good = true;

	sample->exercised = true;
	memset(lab->bitmap, 0, lab->capacity.bitmap_words * sizeof(*lab->bitmap));
	for (uint32_t i = 0; i < EXERCISES; i++) {
		sample->taken_pages[i] = buddy_take_all(lab->input->buddy, exercise_order(i),
							lab->bitmap, first_pfn,
							&sample->taken_twice[i]);
		sample->restored[i] = same_blocks(lab, sample);
		good &= sample->restored[i] && !sample->taken_twice[i] &&
			sample->taken_pages[i] == sample->expected_free_pages;
	}
	return good;
}

static bool pageblocks_good(const struct lab *lab, struct allocator_sample *sample)
{
	const struct lab_input *input = lab->input;
	struct verify_job job = { input->memmap, input->topology, input->reserved, VERIFY_FREED };
	uint64_t bad_pfn;

	sample->pageblocks = verify_pageblocks(&job, input->buddy->pageblocks, &bad_pfn);
	sample->expected_pageblocks = verify_expected_pageblocks(input->topology);
	return bad_pfn == UINT64_MAX && sample->pageblocks == sample->expected_pageblocks;
}

bool lab_check_allocator(struct lab *lab, struct allocator_sample *sample)
{
	const struct buddy *buddy = lab->input->buddy;
	bool good = read_counters(buddy, sample);

	buddy_census(buddy, lab->input->memmap, &sample->census);
	sample->expected_free_pages = lab->expected.pages[FRAME_FREE];
	good &= census_good(sample, &sample->census);
	return pageblocks_good(lab, sample) && good;
}

bool lab_try_allocator(struct lab *lab, struct run_sample *run)
{
	struct allocator_sample *sample = &run->allocator;

	if (lab->request->first_use) {
		lab_first_use(lab, &run->lazy);
		if (!same_blocks(lab, sample))
			return false;
	}
	if (lab->request->exercise && lab->capacity.bitmap_words && !exercise(lab, sample))
		return false;
	return read_counters(lab->input->buddy, sample);
}
