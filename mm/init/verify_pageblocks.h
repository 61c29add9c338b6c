/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The oracle's part for pageblocks: those that hold RAM, by the ranges. */
#include "mm/init/verify.h"

/* Pageblocks that hold at least one frame of RAM, from the ranges alone. */
uint64_t verify_expected_pageblocks(const struct topology *topology);

/* How many pageblocks of the populated sections are typed. *bad_pfn: the first frame of the first
 * pageblock that has RAM but no type, or a type but no RAM; UINT64_MAX: none. */
uint64_t verify_pageblocks(const struct verify_job *job, const uint8_t *pageblocks,
			   uint64_t *bad_pfn);
