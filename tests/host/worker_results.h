/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* A comparison of numbers of workers as it could have come out, and what is concluded from it. */
#include "lab/summary/how_many.h"
#include "lab/workers/calibration.h"
#include "tests/host/report_machine.h"

enum { WORKERS_HZ = 2000000000 };

static struct worker_verdict verdict;
static struct compare_results compared;
static struct step_sample samples[COMPARE_STEPS_MAX * 2 * REPEAT_MAX];
static struct worker_facts facts;
static struct rule_numbers numbers;
static struct calibration calibration;

/* Two nodes of 16 CPUs on 8 cores; node 1 is slow to reach. */
static void make_two_nodes(void)
{
	make_lab(2, 16, 64ull << 18, WORKERS_HZ);
	for (uint32_t i = 0; i < lab.topology.cpu_count; i++) {
		struct cpu *cpu = &lab.topology.cpus[i];

		cpu->online = true;
		cpu->core = cpu->node * 8 + i % 8;
	}
	memset(lab.topology.bandwidth, 0, sizeof(lab.topology.bandwidth));
	lab.topology.bandwidth[0][0] = (struct hmat_pair){ 80, 80, 68000, 68000 };
	lab.topology.bandwidth[0][1] = (struct hmat_pair){ 150, 150, 20000, 20000 };
	lab.topology.bandwidth_from_hmat = lab.topology.distance_from_slit = true;
	lab.topology.distance[0][1] = 20;
	memset(&calibration, 0, sizeof(calibration));
	facts = (struct worker_facts){ .topology = &lab.topology, .core_mbps = 11200,
				       .measured_mbps = calibration.core_mbps,
				       .curves = calibration.curves };
}

static inline uint32_t compare_numbers(uint32_t workers, uint32_t swept)
{
	struct compare_step *step = &compared.steps[compared.step_count];

	step->workers[0] = step->workers[1] = workers;
	step->swept = swept;
	return compared.step_count++;
}

/* So many workers need 1600 ms / workers up to 8, 1 ms more for each beyond, and 0.1 ms more with
 * each repetition; node 1 is a microsecond faster. It has no use for more than 8. */
static inline void make_comparison(uint32_t repetitions)
{
	memset(&compared, 0, sizeof(compared));
	compared.samples = samples;
	compared.repetitions = compared.wanted = repetitions;
	compared.page_size = 64;
	compared.store = STORE_NTI;
	compared.verified = compared.last.good = true;
	compared.cycles = 3ull * WORKERS_HZ;
	compared.limit_cycles = 60ull * WORKERS_HZ;
	compared.rule_steps[RULE_QUARTER] = compare_numbers(4, 4);
	compared.rule_steps[RULE_ALL] = compare_numbers(16, 16);
	compared.rule_steps[RULE_CORES] = compared.rule_steps[RULE_CALIBRATED] =
		compared.rule_steps[RULE_AUTO] = compare_numbers(8, 8);
	compared.rule_steps[RULE_HMAT] = compare_numbers(6, 0);
	compare_numbers(2, 2);
	compare_numbers(1, 1);
	for (uint32_t rep = 0; rep < repetitions; rep++)
		for (uint32_t step = 0; step < compared.step_count; step++)
			for (uint32_t node = 0; node < 2; node++) {
				uint32_t n = compared.steps[step].workers[node];
				uint64_t us = n <= 8 ? 1600000 / n : 200000 + 1000 * (n - 8);

				n = node && n > 8 ? 8 : n;
				samples[compared.sample_count++] = (struct step_sample){
					step, rep, node, n, 1 << 20,
					(us + 100 * rep - node) * (WORKERS_HZ / 1000000) };
			}
}

static inline void begin_verdict(void)
{
	rule_numbers_find(&numbers, &facts);
	worker_verdict_begin(&verdict, &lab.topology, &numbers);
}

/* All of it. */
static inline void judge_comparison(uint32_t repetitions)
{
	make_comparison(repetitions);
	begin_verdict();
	worker_verdict_add(&verdict, &compared);
}
