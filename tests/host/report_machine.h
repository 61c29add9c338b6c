/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A made-up machine of any size, with the results of an experiment, to test the report with. */
#include <stdlib.h>
#include <string.h>

#include "experiments/table.h"
#include "lab/summary/init.h"
#include "report/anomaly.h"
#include "report/init/init.h"
#include "report/machine/machine.h"
#include "report/machine/memmap.h"
#include "report/machine/memory_map.h"
#include "report/report.h"
#include "report/opening.h"
#include "report/workers/sweep.h"
#include "report/verdict.h"

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
	struct sweep_results sweep;
} lab;

enum { LAB_SECTIONS_MAX = 1 << 20 };

static void make_facts(uint64_t tsc_hz)
{
	static const char *const names[] = { "boot information", "console and clock", "memory map",
					     "ACPI", "CPUs", "memmap" };

	options_parse("policy=node,padata verbose=off", false, &experiment_words, &lab.options);
	lab.facts = (struct report_run_facts){
		.version = "0.2.0",
		.build_id = "5d2c91aa",
		.protocol = BOOT_MULTIBOOT2,
		.loader = "GRUB 2.06-13+deb12u1",
		.cmdline = "policy=node,padata verbose=off",
		.tsc_hz = tsc_hz,
		.tsc_source = "hpet",
		.tsc_invariant = true,
		.overhead_cycles = 38,
		.cpu = { .name = "AMD EPYC 7742 64-Core Processor", .hypervisor = "KVMKVMKVM",
			 .family = 23, .model = 49, .l2_bytes = 512 << 10 },
	};
	memset(&lab.log, 0, sizeof(lab.log));
	for (uint64_t i = 0; i < 6; i++)
		lab.phases[i] = (struct report_phase){
			.name = names[i],
			.cycles = (2 * i + 1) * 300000,
			.end_cycles = (i + 1) * (i + 1) * 300000,
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

		plan->jobs[i] = (struct init_job){
			.job = { .start = i * pages_per_node + 32768,
				 .size = pages_per_node - 32768, .align = 32768,
				 .min_chunk = 32768, .max_workers = workers },
			.node = i,
		};
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
 * 384 GiB, and made up for the others. The other nodes are a little faster, the repetitions differ
 * a little, the cold run took twice as long. */
static uint64_t sample_cycles(enum policy policy, uint32_t repetition, uint32_t node, uint64_t hz)
{
	static const uint64_t policy_us[POLICY_COUNT] = {
		3000000, 1785700, 200000, 138000, 137000, 4000, 151000,
		160000, 150000, 145000, 140000 };
	uint64_t us = policy_us[policy] + (repetition + 4) % 5 * 500 - 1000 - node * 10;

	return (repetition ? us : 2 * us) * (hz / 1000000);
}

static struct allocator_sample allocator_sample(uint64_t free_pages, bool exercised)
{
	struct allocator_sample sample = {
		.census = { .free_pages = free_pages, .managed_pages = free_pages,
			    .first_bad_pfn = BUDDY_NONE, .digest = 1 },
		.expected_free_pages = free_pages, .pageblocks = free_pages / 512 + 1,
		.expected_pageblocks = free_pages / 512 + 1, .exercised = exercised };

	sample.census.blocks[ORDER_MAX] = free_pages >> ORDER_MAX;
	sample.census.blocks[0] = free_pages % BLOCK_PAGES;
	for (int i = 0; i < 2 && exercised; i++) {
		sample.taken_pages[i] = free_pages;
		sample.restored[i] = true;
	}
	return sample;
}

static void make_lazy(struct run_sample *run, uint64_t free_pages, uint64_t hz)
{
	bool lazy = run->policy == POLICY_LAZY;

	run->lazy = (struct lazy_sample){
		.filled_blocks = lazy ? run->pages >> ORDER_MAX : 0,
		.fill_cycles = lazy ? run->repetition * hz / 2 : 0,
		.first_use_pages = free_pages,
		.first_use_cycles = (lazy ? 2 : 1) * hz + run->repetition * hz / 2 };
	run->allocator.census.lazy_blocks = run->lazy.filled_blocks;
}

static void make_async(struct run_sample *run, uint64_t hz)
{
	run->async = (struct async_sample){
		.first_success_cycles = hz / 100000 * run->repetition, .allocations = 1000,
		.failures = run->repetition, .min_cycles = 100, .median_cycles = 240,
		.p99_cycles = 70000, .max_cycles = 130000 };
	run->async.histogram[6] = 250;
	run->async.histogram[7] = 740;
	run->async.histogram[16] = 10;
}

static void make_run(uint32_t repetition, enum policy policy, uint64_t hz)
{
	struct init_results *results = &lab.results;
	uint32_t nodes = lab.topology.node_count, cpus = lab.topology.cpu_count;
	uint32_t workers = lab.plans[policy].nodes[0].worker_count;
	uint64_t free_pages = results->expected.pages[FRAME_FREE];
	bool first = policy == POLICY_NODE ? !repetition : repetition == 1;
	struct run_sample *run = &results->runs[results->run_count++];

	*run = (struct run_sample){
		.policy = policy, .repetition = repetition, .cold = !repetition, .good = true,
		.workers = policy == POLICY_SERIAL ? 1 : workers * nodes,
		.pages = lab.plans[policy].deferred_pages,
		.early_pages = lab.plans[policy].early_pages,
		.early_cycles = hz / 1000 * nodes, .early_free_cycles = hz / 2000 * nodes,
		.wake_cycles = hz / 10000 + repetition * 977,
		.cycles = sample_cycles(policy, repetition, 0, hz), .totals = results->expected,
		.smi = DISTURBANCE_UNKNOWN, .aperf = DISTURBANCE_UNKNOWN,
		.mperf = DISTURBANCE_UNKNOWN,
		.allocator = allocator_sample(free_pages, first),
		.tiled = true, .bad_pfn = UINT64_MAX };
	run->store = policy == POLICY_KTASK ? STORE_NT128 : STORE_NTI;
	if (policy == POLICY_KTASK)
		run->first_pass_cycles = run->cycles / 4 * 3;
	if (repetition && repetition < 4 && (policy == POLICY_NODE || policy == POLICY_LAZY))
		make_lazy(run, free_pages, hz);
	if (policy == POLICY_ASYNC)
		make_async(run, hz);
	for (uint32_t i = 0; i < nodes; i++)
		results->nodes[results->node_count++] = (struct init_node_sample){
			policy, repetition, i, workers, lab.plans[policy].nodes[i].deferred_pages,
			sample_cycles(policy, repetition, i, hz) };
	for (uint32_t i = 0; i < cpus && policy == POLICY_PADATA; i++)
		results->cpus[results->cpu_count++] = (struct init_cpu_sample){
			policy, repetition, i, lab.topology.cpus[i].node, 4, run->pages / cpus,
			sample_cycles(policy, repetition, 0, hz) - i };
}

/* The cold run of the baseline, then `repeat` runs of each of the `count` policies. */
static void make_results(const enum policy *policies, uint32_t count, uint32_t repeat, uint64_t hz)
{
	struct init_results *results = &lab.results;
	uint32_t nodes = lab.topology.node_count, runs = 1 + count * repeat;

	free(results->runs);
	free(results->nodes);
	free(results->cpus);
	free(results->spare);
	*results = (struct init_results){ .policy_count = count, .page_size = 64,
					  .verified = true };
	results->spare_bytes = INIT_SPARE_BYTES + INIT_SPARE_EACH * count * nodes +
			       INIT_SPARE_RUN * runs;
	results->spare = calloc(1, results->spare_bytes);
	for (uint32_t i = 0; i < count; i++) {
		results->policies[i] = policies[i];
		results->plans[i] = &lab.plans[policies[i]];
		results->stores[i] = policies[i] == POLICY_KTASK ? STORE_NT128 : STORE_NTI;
	}
	results->runs = calloc(runs, sizeof(*results->runs));
	results->nodes = calloc((size_t)runs * nodes, sizeof(*results->nodes));
	results->cpus = calloc((size_t)repeat * lab.topology.cpu_count, sizeof(*results->cpus));
	for (uint32_t i = 0; i < nodes; i++) {
		const struct init_node *node = &lab.plans[POLICY_NODE].nodes[i];

		results->expected.pages[FRAME_FREE] += node->free_pages;
		results->expected.pages[FRAME_RESERVED] += node->reserved_pages;
		results->expected.pages[FRAME_HOLE] += node->hole_pages;
	}
	results->expected.first_bad_pfn = UINT64_MAX;
	make_run(0, POLICY_NODE, hz);
	for (uint32_t i = 1; i <= repeat; i++)
		for (uint32_t j = 0; j < count; j++)
			make_run(i, policies[j], hz);
}

static inline void make_all_policies(uint32_t repeat, uint64_t hz)
{
	static const enum policy all[POLICY_COUNT] = {
		POLICY_NODE, POLICY_SERIAL, POLICY_KTASK, POLICY_PADATA, POLICY_ZONE, POLICY_LAZY,
		POLICY_ASYNC, POLICY_CORES, POLICY_HMAT, POLICY_CALIBRATED, POLICY_AUTO };

	make_results(all, POLICY_COUNT, repeat, hz);
}

/* With w of at most 8 workers that have an effect a node needs 1600/w ms, and 1 ms more per worker
 * beyond; chunks of all sizes are alike. Node 1, if there is one, has 3 CPUs only. */
static uint64_t step_cycles(uint32_t workers, uint32_t repetition, uint32_t node, uint64_t hz)
{
	uint64_t us = workers <= 8 ? 1600000 / workers : 200000 + 1000ull * (workers - 8);

	return (us + repetition * 100 - node) * (hz / 1000000);
}

static void add_step(enum sweep_axis axis, uint32_t workers, uint64_t chunk_pages, uint32_t repeat,
		     uint64_t hz)
{
	struct sweep_results *sweep = &lab.sweep;
	uint32_t number = sweep->step_count++;

	sweep->steps[number] = (struct sweep_step){ axis, workers, chunk_pages };
	for (uint32_t rep = 0; rep < repeat; rep++)
		for (uint32_t node = 0; node < lab.topology.node_count; node++) {
			uint32_t part = node == 1 && workers > 3 ? 3 : workers;

			sweep->samples[sweep->sample_count++] = (struct step_sample){
				number,
				rep,
				node,
				part,
				lab.plans[POLICY_ZONE].nodes[node].deferred_pages,
				step_cycles(part, rep, node, hz)
			};
		}
}

static inline void make_sweep(uint32_t repeat, uint64_t hz)
{
	static const uint32_t workers[] = { 1, 2, 3, 4, 6, 8, 12, 16 };

	free(lab.sweep.samples);
	lab.sweep = (struct sweep_results){ .page_size = 64, .store = STORE_CLZERO,
					   .verified = true };
	lab.sweep.last.good = true;
	lab.sweep.samples = calloc((size_t)SWEEP_STEPS_MAX * repeat * lab.topology.node_count,
				   sizeof(*lab.sweep.samples));
	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++)
		add_step(SWEEP_WORKERS, workers[i], 0, repeat, hz);
	for (uint64_t pages = 1024; pages <= 524288; pages *= 2)
		add_step(SWEEP_CHUNK, 16, pages, repeat, hz);
}

static void make_lab(uint32_t nodes, uint32_t cpus_per_node, uint64_t pages_per_node, uint64_t hz)
{
	make_facts(hz);
	make_map(nodes, pages_per_node);
	make_topology(nodes, cpus_per_node, pages_per_node);
	make_memmap(nodes, pages_per_node);
	for (int i = 0; i < POLICY_COUNT; i++)
		make_plan(&lab.plans[i], nodes, i <= POLICY_NODE ? 1 : cpus_per_node,
			  pages_per_node);
	make_results((const enum policy[]){ POLICY_NODE, POLICY_PADATA }, 2, 5, hz);
	lab.sweep.step_count = lab.sweep.sample_count = 0;
}

static inline void report_lab_sweep(struct report *report)
{
	static struct sweep_summary summary;

	summarise_sweep(&summary, &lab.sweep, lab.topology.node_count);
	report_sweep(report, &lab.sweep, &summary, &lab.options, &lab.topology);
}

static inline void report_lab(struct report *report, const struct sink *sink)
{
	report_open(report, sink, &lab.options);
	report_run(report, &lab.facts, &lab.options);
	report_anomalies(report, &lab.log);
	report_memory_map(report, &lab.map);
	report_topology(report, &lab.topology);
	report_bringup(report,
		       &(struct bringup_facts){ true, UINT32_MAX, 4095, UINT64_MAX }, 65536);
	report_memmap(report, &lab.memmap, &lab.topology);
	report_init(report, &lab.results, init_summarise(&lab.results, &lab.topology),
		    &lab.topology);
	if (lab.sweep.step_count)
		report_lab_sweep(report);
	report_phases(report, lab.phases, 6);
	report_verdict(report, &(struct report_end){
		.verdict = lab.results.verified ? VERDICT_OK : VERDICT_FAULT,
		.text = "every struct page is as it must be",
	});
}
