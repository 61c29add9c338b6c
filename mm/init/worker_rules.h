/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * How many workers each rule gives a node: the published rules, side by side, from the topology,
 * the firmware's bandwidths and what was measured. docs/how-many-workers.md compares them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "acpi/hmat.h"
#include "mm/machine/topology.h"

enum worker_rule {
	RULE_QUARTER,    /* ceil(CPUs / 4) [ktask] */
	RULE_ALL,        /* every CPU [padata] */
	RULE_CORES,      /* one per physical core */
	RULE_HMAT,       /* bandwidth of the memory / what one core writes */
	RULE_CALIBRATED, /* the knee of a measured curve */
	RULE_AUTO,       /* calibrated; a memory-only node by its bandwidth, and shared */
	RULE_COUNT
};

/* The knee of a curve: the fewest workers whose time is at most so much of the least. */
enum { KNEE_PERCENT = 105 };

/* What a number of workers needed for a fixed number of struct pages. Ascending by workers. */
struct worker_point {
	uint32_t workers;
	uint64_t cycles;
};

enum { WORKER_POINTS_MAX = 32 };

struct worker_curve {
	struct worker_point points[WORKER_POINTS_MAX];
	uint32_t count;
	bool complete; /* reaches to all CPUs; false: the time for measuring was over before */
};

struct worker_count {
	uint32_t workers;      /* 0: nobody can work for the node, or it has no RAM */
	enum worker_rule used; /* the rule whose number this is, after falling back */
	const char *reason;    /* why the rule itself could not say; NULL: it did */
	uint32_t initiator;    /* hmat: node whose bandwidth counted; NODE_NONE: none did */
	uint32_t node_mbps, core_mbps; /* hmat: what was divided by what, as far as known */
};

struct worker_facts {
	const struct topology *topology;
	const struct hmat_facts *hmat;     /* for its type-0 records; NULL: none */
	uint32_t core_mbps;                /* from the user, for every node; 0: as measured */
	const uint32_t *measured_mbps;     /* per node, 0: not measured; NULL: none */
	const struct worker_curve *curves; /* per node, count 0: not measured; NULL: none */
};

/* Whether a time is within KNEE_PERCENT of the best one. */
bool worker_time_is_near(uint64_t cycles, uint64_t best_cycles);

/* What a rule gives that only counts CPUs (quarter, all, cores), of that many CPUs and cores;
 * cores for every other rule, which is what they fall back to. */
uint32_t worker_rule_of_cpus(enum worker_rule rule, uint32_t cpus, uint32_t cores);

/* The node whose CPUs work for `node`: itself, its adopter, else the nearest that has some of the
 * `working` CPUs (how many of each node do); NODE_NONE when no CPU works. */
uint32_t worker_server(const struct topology *topology, const uint16_t *working, uint32_t node);

/* Whether some RAM has no CPU online on its node: the CPUs that work for it have memory of their
 * own to do. */
bool worker_nodes_share_cpus(const struct topology *topology);

/* What `rule` gives `node`; at least 1 where there is RAM and anybody can work for it.
 *
 * hmat: write bandwidth, access bandwidth where write is absent, of the node's own CPUs; without
 * such a figure that of the best initiator (of those that type-0 records name, where they name any
 * with CPUs); divided by the single-core figure, rounded to the nearest, at most the physical
 * cores. Falls back to calibrated.
 *
 * calibrated: the knee of the node's curve, else of that of the node whose CPUs serve it; falls
 * back to cores.
 *
 * auto: as calibrated, but a memory-only node gets as many of the calibrated workers of the CPUs
 * that serve it as its bandwidth is of their own memory's, rounded to the nearest: the best that
 * any of the nearest nodes with CPUs has. At most the CPUs of the largest of those; who of them
 * works is worker_split's to say (mm/init/worker_rules_share.h). */
struct worker_count worker_rules_count(const struct worker_facts *facts, enum worker_rule rule,
				       uint32_t node);

/* The fewest workers whose time is near to the curve's best. 0: the curve is empty, or it was still
 * falling at its end and is not complete. */
uint32_t worker_curve_knee(const struct worker_curve *curve);

/* The next of 1, 2, 3, 4, 6, 8, 12, 16 ...: the powers of two and what lies half-way between. */
uint32_t worker_count_next(uint32_t workers);

const char *worker_rule_name(enum worker_rule rule);
