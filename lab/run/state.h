/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The lab: what the parts of a run share, in memory that is taken once per experiment. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lab/input.h"
#include "lab/machine.h"
#include "lab/run/capacity.h"
#include "lab/run/request.h"
#include "mm/init/chunk.h"
#include "mm/init/deferred.h"
#include "mm/init/policy.h"
#include "mm/init/verify.h"
#include "smp/dispatch/barrier.h"
#include "smp/dispatch/dispatch.h"

enum { BOOT_CPU = 0 /* index in topology->cpus */ };

struct lab_worker {
	uint32_t cpu;
	uint32_t first_visit, visit_count; /* in plan->visits */
	uint32_t chunks;                   /* counted after the run, of the first pass */
	uint64_t pages;
};

/* Each written by one CPU while all work, hence on a cache line of its own. */
struct worker_record {
	_Alignas(64) uint64_t go_tsc; /* the barrier's stamp; 0: it did not open in time */
	uint64_t end_tsc;             /* 0: waited in vain for the first pass of others */
	struct disturbance before, after;
};

struct visit_record {
	_Alignas(64) uint64_t last_tsc[PASSES_MAX]; /* after the last chunk; 0: there was none */
};

struct check_record {
	_Alignas(64) struct verify_totals totals;
};

struct freed_record {
	_Alignas(64) _Atomic uint64_t pages;
};

struct lab_pass {
	struct job_state *jobs; /* as plan->jobs */
	struct claim_log *logs; /* one per job */
	struct claim *claims;   /* of all jobs, one after the other */
};

/* Context of struct buddy's fill under policy lazy. The boot CPU alone allocates then. */
struct fill_meter {
	const struct lab_machine *machine;
	struct buddy *buddy;
	uint64_t blocks, cycles;
};

struct lab {
	const struct lab_input *input;
	struct lab_capacity capacity;
	uint64_t began_tsc;
	bool init_only; /* descriptors are not of 64 bytes */
	struct verify_totals expected;

	/* all online CPUs, for poisoning and verifying */
	uint32_t *online;
	uint32_t online_count;
	struct job_state *sections; /* over memmap->sections */
	struct check_record *checks;
	enum verify_stage stage;

	/* of this run */
	const struct run_request *request;
	const struct init_plan *plan;
	const struct policy_rule *rule;
	uint32_t pass_count;
	enum store store; /* what writes the struct pages, on the boot CPU's kind of core */
	struct lab_worker *workers;
	uint32_t *worker_cpus;
	uint32_t worker_count;
	struct worker_record *worker_records;
	struct visit_record *visit_records; /* as plan->visits */
	struct lab_pass passes[PASSES_MAX];
	struct chunk_args *args;            /* one per kind of core and node: lab_args */
	struct freed_record *freed;         /* one per node */
	uint64_t *borders;                  /* of each node: what is below is not the workers' */
	uint64_t *node_pages;               /* deferred frames of each node, by the claims */
	struct barrier *barrier;
	struct deferred *deferred;
	struct fill_meter *fill;
	uint64_t *bitmap, *latencies;
	uint64_t grown_blocks; /* allocated for growth */
	uint64_t go_tsc;
	_Alignas(64) _Atomic uint32_t done; /* workers that have finished */
};

/* What a job's function is told on CPUs of that kind. */
static inline struct chunk_args *lab_args(const struct lab *lab, uint32_t kind, uint32_t node)
{
	return &lab->args[kind * lab->capacity.nodes + node];
}

static inline uint64_t lab_now(const struct lab *lab)
{
	return lab->input->machine->now(lab->input->machine->context);
}
