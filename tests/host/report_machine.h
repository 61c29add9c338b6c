#pragma once
/* A made-up machine of any size, with the results of an experiment, to test the report with. */
#include <stdlib.h>
#include <string.h>

#include "kernel/report.h"

static struct {
	struct options options;
	struct report_run_facts facts;
	struct anomaly_log log;
	struct report_phase phases[6];
	struct memory_map map;
	struct topology topology;
	struct memmap memmap;
	struct init_plan plans[POLICY_COUNT];
	struct init_results results;
} lab;

enum { LAB_SECTIONS_MAX = 1 << 20 };

static void make_facts(uint64_t tsc_hz)
{
	static const char *const names[] = { "boot information", "console and clock", "memory map",
					     "ACPI", "CPUs", "memmap" };

	cmdline_parse("policy=node,padata verbose=off", &lab.options);
	lab.facts = (struct report_run_facts){
		.build_id = "5d2c91aa",
		.protocol = BOOT_MULTIBOOT2,
		.loader = "GRUB 2.06-13+deb12u1",
		.cmdline = "policy=node,padata verbose=off",
		.tsc_hz = tsc_hz,
		.tsc_source = "hpet",
		.tsc_invariant = true,
		.overhead_cycles = 38,
	};
	memset(&lab.log, 0, sizeof(lab.log));
	for (uint64_t i = 0; i < 6; i++)
		lab.phases[i] = (struct report_phase){
			.name = names[i],
			.start_tsc = 1000000 + i * i * 300000,
			.end_tsc = 1000000 + (i + 1) * (i + 1) * 300000,
		};
}

static void make_map(uint32_t nodes, uint64_t pages_per_node)
{
	struct memory_range *range = lab.map.ranges;

	memset(&lab.map, 0, sizeof(lab.map));
	*range++ = (struct memory_range){ 0, 0x9f, MEMORY_USABLE };
	*range++ = (struct memory_range){ 0x9f, 0x100, MEMORY_RESERVED };
	for (uint32_t i = 0; i < nodes; i++)
		*range++ = (struct memory_range){ i * pages_per_node + (i ? 0 : 0x100),
						  (i + 1) * pages_per_node - 2, MEMORY_USABLE };
	lab.map.count = (uint32_t)(range - lab.map.ranges);
	lab.map.usable_pages = nodes * pages_per_node - 0x61 - 2 * (uint64_t)nodes;
}

static void make_topology(uint32_t nodes, uint32_t cpus_per_node, uint64_t pages_per_node)
{
	struct topology *topology = &lab.topology;

	memset(topology, 0, sizeof(*topology));
	topology->numa = nodes > 1;
	topology->distance_from_slit = topology->bandwidth_from_hmat = topology->numa;
	topology->node_count = nodes;
	topology->cpu_count = nodes * cpus_per_node;
	for (uint32_t i = 0; i < nodes; i++) {
		topology->nodes[i] = (struct node){ .pxm = i * 2, .pages = pages_per_node - 2,
						    .cpu_count = cpus_per_node };
		topology->ram[i] = (struct ram_range){ i * pages_per_node,
						       (i + 1) * pages_per_node - 2, i };
		for (uint32_t to = 0; to < nodes; to++) {
			topology->distance[i][to] = i == to ? 10 : 21;
			if (nodes > 1 && nodes <= 64)
				topology->bandwidth[i][to] = (struct hmat_pair){
					i == to ? 81 : 139, i == to ? 81 : 139,
					i == to ? 128000 : 64000, i == to ? 0 : 64000 };
		}
	}
	topology->ram_count = nodes;
	topology->ram_pages = nodes * (pages_per_node - 2);
	for (uint32_t i = 0; i < topology->cpu_count; i++)
		topology->cpus[i] = (struct cpu){
			.apic_id = i, .node = i / cpus_per_node, .boot = i == 0, .online = true,
			.package = i / cpus_per_node, .core = i / 2, .thread = i % 2,
			.arrival_cycles = i ? 20400000 + i * 1234 : 0 };
}

static void make_memmap(uint32_t nodes, uint64_t pages_per_node)
{
	uint64_t per_node = pages_per_node / 32768;

	free(lab.memmap.sections);
	lab.memmap = (struct memmap){ .base = (struct page *)0xffffea0000000000,
				      .count = per_node * nodes, .remote_sections = 1 };
	lab.memmap.sections = calloc(lab.memmap.count, sizeof(*lab.memmap.sections));
	for (uint64_t i = 0; i < lab.memmap.count; i++)
		lab.memmap.sections[i] = (struct memmap_section){
			.section = i, .node = (uint32_t)(i / per_node),
			.backing_node = i == 1 ? nodes - 1 : (uint32_t)(i / per_node) };
	lab.memmap.remote_sections = nodes > 1;
}

static void make_plan(struct init_plan *plan, uint32_t nodes, uint32_t workers,
		      uint64_t pages_per_node)
{
	free(plan->jobs);
	memset(plan, 0, sizeof(*plan));
	plan->jobs = calloc(nodes, sizeof(*plan->jobs));
	plan->job_count = nodes;
	for (uint32_t i = 0; i < nodes; i++) {
		uint64_t deferred = pages_per_node - 32768 - 66;

		plan->jobs[i] = (struct init_job){ .start_pfn = i * pages_per_node + 32768,
						   .size_pages = pages_per_node - 32768,
						   .align_pages = 32768, .min_chunk_pages = 32768,
						   .max_workers = workers, .node = i };
		plan->nodes[i] = (struct init_node){ .early_pages = 32768 + 66,
						     .deferred_pages = deferred,
						     .free_pages = pages_per_node - 66,
						     .reserved_pages = 64, .hole_pages = 2,
						     .first_job = i, .job_count = 1,
						     .worker_count = workers };
		plan->early_pages += 32768 + 66;
		plan->deferred_pages += deferred;
		plan->total_pages += pages_per_node;
	}
}

/* Of the slowest node: what was measured for Linux 5.8 with one and with 52 workers on two nodes of
 * 384 GiB. The other nodes are a little faster, the repetitions differ a little. */
static uint64_t sample_cycles(enum policy policy, uint32_t repetition, uint32_t node, uint64_t hz)
{
	uint64_t us = policy == POLICY_NODE ? 1785700 : 138000;

	return (us + repetition % 5 * 500 - 1000 - node * 10) * (hz / 1000000);
}

static void make_run(uint32_t repetition, enum policy policy, uint64_t hz)
{
	struct init_results *results = &lab.results;
	uint32_t nodes = lab.topology.node_count, cpus = lab.topology.cpu_count;
	uint32_t workers = lab.plans[policy].nodes[0].worker_count;
	struct init_run_sample *run = &results->runs[results->run_count++];

	*run = (struct init_run_sample){
		.policy = policy, .repetition = repetition, .workers = workers * nodes,
		.pages = lab.plans[policy].deferred_pages,
		.early_pages = lab.plans[policy].early_pages,
		.early_cycles = hz / 1000 * nodes, .wake_cycles = hz / 10000 + repetition * 977,
		.cycles = sample_cycles(policy, repetition, 0, hz), .totals = results->expected,
		.tiled = true, .bad_pfn = UINT64_MAX };
	for (uint32_t i = 0; i < nodes; i++)
		results->nodes[results->node_count++] = (struct init_node_sample){
			policy, repetition, i, workers, lab.plans[policy].nodes[i].deferred_pages,
			sample_cycles(policy, repetition, i, hz) };
	for (uint32_t i = 0; i < cpus && policy == POLICY_PADATA; i++)
		results->cpus[results->cpu_count++] = (struct init_cpu_sample){
			policy, repetition, i, 4, run->pages / cpus,
			sample_cycles(policy, repetition, 0, hz) - i };
}

static void make_results(uint32_t repeat, uint64_t hz)
{
	struct init_results *results = &lab.results;
	uint32_t nodes = lab.topology.node_count;

	free(results->runs);
	free(results->nodes);
	free(results->cpus);
	*results = (struct init_results){ .policies = { POLICY_NODE, POLICY_PADATA },
					  .policy_count = 2, .verified = true,
					  .plans = { &lab.plans[0], &lab.plans[1] } };
	results->runs = calloc(2 * repeat, sizeof(*results->runs));
	results->nodes = calloc((size_t)2 * repeat * nodes, sizeof(*results->nodes));
	results->cpus = calloc((size_t)repeat * lab.topology.cpu_count, sizeof(*results->cpus));
	for (uint32_t i = 0; i < nodes; i++) {
		const struct init_node *node = &lab.plans[0].nodes[i];

		results->expected.pages[FRAME_FREE] += node->free_pages;
		results->expected.pages[FRAME_RESERVED] += node->reserved_pages;
		results->expected.pages[FRAME_HOLE] += node->hole_pages;
	}
	results->expected.first_bad_pfn = UINT64_MAX;
	for (uint32_t i = 0; i < repeat; i++) {
		make_run(i, POLICY_NODE, hz);
		make_run(i, POLICY_PADATA, hz);
	}
}

static void make_lab(uint32_t nodes, uint32_t cpus_per_node, uint64_t pages_per_node, uint64_t hz)
{
	make_facts(hz);
	make_map(nodes, pages_per_node);
	make_topology(nodes, cpus_per_node, pages_per_node);
	make_memmap(nodes, pages_per_node);
	make_plan(&lab.plans[POLICY_NODE], nodes, 1, pages_per_node);
	make_plan(&lab.plans[POLICY_PADATA], nodes, cpus_per_node, pages_per_node);
	make_results(5, hz);
}

static void report_lab(struct report *report, const struct sink *sink)
{
	report_open(report, sink, &lab.options);
	report_run(report, &lab.facts, &lab.options);
	report_anomalies(report, &lab.log);
	report_memory_map(report, &lab.map);
	report_topology(report, &lab.topology);
	report_bringup(report,
		       &(struct report_bringup){ true, UINT32_MAX, 4095, UINT64_MAX, 65536 });
	report_memmap(report, &lab.memmap, &lab.topology);
	for (uint32_t i = 0; i < POLICY_COUNT; i++)
		report_plan(report, (enum policy)i, &lab.plans[i], &lab.topology);
	report_init_samples(report, &lab.results, &lab.topology);
	report_init_results(report, &lab.results, &lab.topology);
	report_init_verification(report, &lab.results);
	report_phases(report, lab.phases, 6);
	report_verdict(report, lab.results.verified, "every struct page is as it must be");
}
