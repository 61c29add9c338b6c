/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The machine that the kernel would see, made by the kernel's own code from tables and a memory
 * map. What a folder of tables cannot say is stood in for, and each stand-in is said in a field or
 * an anomaly:
 *
 *   memory map   the ranges of the SRAT
 *   MADT         the CPUs of the SRAT; where it has none, a boot CPU alone
 *   boot CPU     the first enabled CPU; all CPUs are taken to arrive
 *   SRAT         one node, as in the kernel. Where neither a CPU nor RAM is known, so that there
 *                is no machine to plan for, the proximity domains that SLIT and HMAT name, so that
 *                their figures can be read
 */
#include <stdbool.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "boot/boot_info.h"
#include "mm/init/plan.h"
#include "mm/init/policy.h"
#include "mm/init/worker_rules.h"
#include "mm/machine/machine.h"
#include "mm/machine/memmap.h"
#include "mm/machine/topology.h"

enum ram_source { RAM_UNKNOWN, RAM_FROM_E820, RAM_FROM_SRAT };
enum cpu_source { CPUS_UNKNOWN, CPUS_FROM_MADT, CPUS_FROM_SRAT };
enum plan_state {
	PLAN_MADE,
	PLAN_NO_RAM,
	PLAN_TOO_BIG,   /* more RAM than can be described on this host */
	PLAN_NO_MEMORY, /* missing_pages: what the memmap does not find room for */
};

/* What the user knows of the CPUs; 0: the user did not say. */
struct given {
	uint32_t address_bits;     /* width of physical addresses, at most 52; not 0 */
	uint32_t threads_per_core; /* a power of two: the low bits of an APIC id tell them apart */
	uint32_t core_mbps;        /* what one core writes */
	uint64_t page_ps;          /* one worker's time for a struct page, in picoseconds */
};

struct inspection {
	struct machine machine;   /* its early allocator has given what the memmap took */
	struct topology topology; /* with CPUS_UNKNOWN it holds the assumed boot CPU */
	enum ram_source ram_source;
	enum cpu_source cpu_source;
	struct memmap memmap;
	/* Set by the caller: what to plan, and what it knows. */
	enum policy policy;
	struct given given;
	struct init_plan plan;
	enum plan_state plan_state;
	uint64_t missing_pages;
};

/* Entries of the memory map as given, or NULL; at most BOOT_MEMORY_MAX. */
struct memory_input {
	const struct boot_memory *entries;
	uint32_t count;
};

/* Reads `tables` and joins everything; `inspection` comes zeroed apart from its machine's
 * log, the policy and what is given.
 * False when there is neither a CPU, nor RAM, nor a proximity domain, and when `memory` was given
 * and has no RAM. */
bool inspect(struct inspection *inspection, const struct acpi_tables *tables,
	     const struct memory_input *memory);
/* What the policy's rule gives a node, before its jobs limit it. The policy goes by a rule
 * (WORKERS_OF_CPUS, WORKERS_GIVEN). */
struct worker_count inspection_count_workers(const struct inspection *inspection,
					     enum policy policy, uint32_t node);
/* The plan of another policy, for a machine whose own was made; plan_free frees what is in it.
 * One that policy_unplanned (policies.h) refuses is planned as cores. */
void inspection_plan(const struct inspection *inspection, enum policy policy,
		     struct init_plan *plan);
void plan_free(struct init_plan *plan);

void inspection_free(struct inspection *inspection);
