/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What all experiments share: what they are given, and what one leaves to the next. */
#include "acpi/hmat.h"
#include "lab/alloc/free.h"
#include "lab/alloc/pcp.h"
#include "lab/alloc/stream.h"
#include "lab/init/init.h"
#include "lab/init/stores.h"
#include "lab/input.h"
#include "lab/summary/init.h"
#include "lab/summary/sweep.h"
#include "lab/summary/how_many.h"
#include "lab/workers/bandwidth.h"
#include "lab/workers/calibration.h"
#include "lab/workers/compare_rules.h"
#include "lab/workers/policy_workers.h"
#include "lab/workers/sweep.h"
#include "lib/irq_guard.h"
#include "report/report.h"

/* Ranges that may yet be reserved when bytes are counted. */
enum { LABORATORY_SPARE_RESERVED = 64 };

/* Too large for a stack: its owner is static. All that is not given is zero at first. */
struct laboratory {
	/* given */
	const struct lab_machine *machine;
	const struct options *options;
	const struct topology *topology; /* all CPUs started */
	const struct hmat_facts *hmat;   /* as parsed, perhaps empty */
	const struct memmap *memmap;     /* mapped */
	const struct range_list *reserved; /* frames; only `allocate` adds to them */
	struct store_features features;  /* what all CPUs have */
	struct irq_guard irq;
	uint8_t *base;                   /* the bytes of frame pfn: base + pfn * PAGE_BYTES */
	uint8_t *pageblocks;             /* for buddy->pageblocks, zero */
	uint64_t tsc_hz;
	struct report *report;
	/* Called once; 64-byte aligned, NULL: there is no such piece. */
	void *(*allocate)(void *context, uint64_t bytes);
	void *allocate_context;
	/* After each experiment and its report; does not return where it finds the memory of the
	 * program itself damaged. */
	void (*check)(const struct topology *topology);

	/* set up at first */
	void *memory;
	uint64_t bytes;
	struct buddy buddy;
	struct page_allocator allocator;
	struct lab_input input;          /* the stores as soon as they are chosen */
	struct alloc_input alloc_input;

	/* what is found */
	struct store_trials store_trials;
	struct bandwidth_results bandwidth;
	struct calibration calibration;
	struct rule_numbers rule_numbers;
	struct worker_verdict worker_verdict;
	struct init_results init;
	const struct init_summary *init_summary;
	uint64_t init_start_tsc, init_cycles; /* of the experiment, its report included; 0: none */
	struct sweep_results sweep;
	struct sweep_summary sweep_summary;
	struct compare_results comparison;
	struct run_sample fill;
	bool filled;
	struct disturbance before;       /* an experiment on the page allocator */
	struct pcp_results pcp;
	struct stream_results stream;
	struct free_results free;
	char fault[96];                  /* what is wrong, where that has to be put together */
};
