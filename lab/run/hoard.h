/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Memory that the boot CPU allocates during an experiment, and gives back. */
#include "lab/run/sample.h"
#include "lab/run/state.h"

/* Blocks of one order, held in a list through their first struct pages. */
struct hoard {
	uint64_t last_pfn; /* BUDDY_NONE: empty */
	uint64_t blocks;
	uint32_t order;
};

void hoard_add(const struct lab *lab, struct hoard *hoard, uint64_t pfn);
void hoard_give_back(struct lab *lab, struct hoard *hoard);

/* Allocates from each node with a deferred part until that has grown it. */
void lab_grow(struct lab *lab, struct hoard *hoard);

/* Allocates while the workers run, which were woken at `start_tsc`, until they are done; times each
 * allocation. */
void lab_allocate_meanwhile(struct lab *lab, uint64_t start_tsc, struct async_sample *sample,
			    struct hoard *hoard);

/* Single pages, all or 64 GiB of them, allocated against the clock and given back. */
void lab_first_use(struct lab *lab, struct lazy_sample *sample);
