/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The machine as this lab sees it: nodes joined from CPUs, RAM, distances and bandwidths. Nodes
 * are numbered 0, 1, 2 ... by ascending proximity domain; every domain that an enabled SRAT
 * entry names is a node, with RAM, with CPUs, with both or with neither; only a Generic Port's is
 * none, as in Linux. RAM in a CXL window that the SRAT leaves out is a node, too (cxl_nodes.h).
 * Without a usable SRAT there is one node (pxm 0) with everything.
 */
#include <stdbool.h>
#include <stdint.h>

#include "acpi/hmat.h"
#include "acpi/madt.h"
#include "acpi/slit.h"
#include "acpi/srat.h"
#include "lib/anomaly.h"
#include "lib/limits.h"
#include "mm/machine/memory_map.h"
#include "smp/dispatch/cpu_model.h"

struct cpu {
	uint32_t apic_id;
	uint32_t node;
	bool boot;   /* the CPU that the firmware started */
	bool online; /* arrived; topology_join sets it for the boot CPU only */
	/* From CPUID on the CPU itself, filled in after it arrived: */
	uint32_t package, core, thread; /* ids as in the APIC id; core is machine-wide unique */
	uint32_t kind; /* index in topology->kinds */
	uint64_t arrival_cycles; /* from the first start-up message to its first instruction */
	/* Its time stamp counter minus the boot CPU's lies in [tsc_low, tsc_high], as far as
	 * messages can tell; low > high: the two do not run alike. */
	bool tsc_bounded;
	int64_t tsc_low, tsc_high;
};

struct core_kind {
	struct core_design design;
	uint32_t cpus; /* that arrived */
};
enum { CORE_KINDS_MAX = 8 };

struct ram_range {
	uint64_t start_pfn, end_pfn;
	uint32_t node;
};

struct node {
	uint32_t pxm;
	uint64_t pages;     /* usable frames */
	uint32_t cpu_count; /* enabled CPUs */
	bool adopted;       /* RAM but no CPUs */
	uint32_t adopter;   /* then: the nearest node with CPUs, else NODE_NONE */
};

struct topology {
	struct node nodes[NODE_MAX];
	uint32_t node_count;
	struct cpu cpus[CPU_MAX]; /* boot CPU first, then MADT order */
	uint32_t cpu_count;
	/* Kinds of core: the boot CPU's first; of more than fit the rest count as the last one.
	 * kind_count 0: nobody has looked, and all CPUs are of kind 0. */
	struct core_kind kinds[CORE_KINDS_MAX];
	uint32_t kind_count;
	/* Usable frames only: sorted, disjoint, neighbours of one node merged. */
	struct ram_range ram[MEMORY_RANGE_MAX + SRAT_MEMORY_MAX];
	uint32_t ram_count;
	uint64_t ram_pages;
	/* The SRAT's ranges, RAM or not: sorted, disjoint. */
	struct ram_range claims[2 * SRAT_MEMORY_MAX];
	uint32_t claim_count;
	uint8_t distance[NODE_MAX][NODE_MAX]; /* [from][to]; without a SLIT 10 local, 20 remote */
	bool distance_from_slit;
	struct hmat_pair bandwidth[NODE_MAX][NODE_MAX]; /* [initiator][target]; zeros: unknown */
	bool bandwidth_from_hmat;
	bool numa; /* from an SRAT */
	uint64_t orphan_pages; /* usable frames in no SRAT range */
};

struct topology_input {
	const struct memory_map *map;
	const struct madt_facts *madt; /* each may be NULL: table absent or unusable */
	const struct srat_facts *srat;
	const struct slit_facts *slit;
	const struct hmat_facts *hmat;
	uint32_t boot_apic_id; /* as the boot CPU itself says */
};

/*
 * Joins everything into `topology` (zeroed first). Rules:
 * - No MADT: the boot CPU alone. Boot CPU missing in the MADT: added, with an anomaly. A CPU in
 *   no SRAT entry goes to the node of the boot CPU, else node 0, with an anomaly; of several the
 *   first counts.
 * - A frame belongs to the SRAT range that holds its first byte. Where ranges overlap the
 *   earlier entry keeps the overlap, with an anomaly. SRAT ranges without RAM are nothing.
 * - A piece of RAM in no SRAT range goes as a whole to the node of the nearest RAM that is in
 *   one (the lower on a tie); if there is none, to the node of the boot CPU, with an anomaly.
 * - Of more than NODE_MAX domains the lowest are kept, with an anomaly; entries of others count
 *   as none.
 * - A SLIT distance of 0 or less than 10 off the diagonal counts as remote (20). Without an SRAT
 *   neither SLIT nor HMAT is looked at.
 * - The adopter of a memory-only node is the node with CPUs that has the smallest distance to it
 *   (a SLIT need not be symmetric, and it is the CPU that accesses); on a tie the lower HMAT read
 *   latency (a known one before an unknown one), then the lower number.
 */
void topology_join(struct topology *topology, const struct topology_input *input,
		   struct anomaly_log *log);

/* Index of the CPU with this APIC id, or CPU_MAX. */
uint32_t topology_cpu_by_apic(const struct topology *topology, uint32_t apic_id);

/* Node other than those in `tried` (a bool per node) nearest to `node` that has RAM, NODE_NONE when
 * there is none; starts with `node` itself. */
uint32_t topology_nearest_ram(const struct topology *topology, uint32_t node, const bool *tried);

/* The node of proximity domain `pxm`, or NODE_NONE. Binary search. */
uint32_t topology_node_by_pxm(const struct topology *topology, uint32_t pxm);
