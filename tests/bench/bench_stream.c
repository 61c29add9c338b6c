/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Native benchmark of the workload `stream`: two threads on two CPUs exchange messages under each
 * way of keeping pages per CPU, with socket buffers of several sizes.
 *
 *   bench_stream [REPETITIONS [SLICE_US [CPUS]]]
 *
 * The ways take turns, one slice per size each, beginning with another way each time; the first
 * turn is not counted. Ratios are formed within a turn; the interval is that of their median. CPUS
 * is for how many CPUs slabs and lists are sized, whatever runs here: SLUB's slabs grow with it.
 * 4 GiB of memory are reserved, of which only what the allocator hands out is touched.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "lib/cpu.h"
#include "report/alloc/stream.h"
#include "report/opening.h"
#include "tests/bench/page_machine.h"

enum { REPETITIONS = 15, SLICE_US = 2000, SIZED_FOR = 48, NS_PER_S = 1000000000 };

struct bench {
	struct page_machine machine;
	struct memmap memmap;
	struct topology topology;
	struct options options;
	struct lab_machine lab_machine;
	struct alloc_input input;
	struct stream_results results;
	struct report report;
};

static struct bench bench;

/* ---- two CPUs ------------------------------------------------------------------------------- */

struct duty {
	void (*function)(void *argument, uint32_t index);
	void *argument;
	uint32_t index, cpu;
};

static void *duty_main(void *argument)
{
	struct duty *duty = argument;

	machine_pin(&bench.machine, duty->cpu);
	duty->function(duty->argument, duty->index);
	return NULL;
}

static void run_on(void *context, const uint32_t *cpus, uint32_t count,
		   void (*function)(void *argument, uint32_t index), void *argument)
{
	struct duty duties[CPUS];
	pthread_t threads[CPUS];

	(void)context;
	for (uint32_t i = 0; i < count; i++) {
		duties[i] = (struct duty){ function, argument, i, cpus[i] };
		if (pthread_create(&threads[i], NULL, duty_main, &duties[i]))
			fail("pthread_create");
	}
	for (uint32_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static uint64_t now_tsc(void *context)
{
	(void)context;
	return tsc_ordered();
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static uint64_t tsc_hz(void)
{
	uint64_t start_ns = now_ns(), start = tsc_ordered(), ns;

	do
		ns = now_ns() - start_ns;
	while (ns < NS_PER_S / 10);
	return mul_div_u64(tsc_ordered() - start, NS_PER_S, ns);
}

/* ---- the machine ---------------------------------------------------------------------------- */

static uint8_t *map_ram(void)
{
	uint64_t bytes = (FIRST_PFN + (uint64_t)PAGES) * PAGE_BYTES + HUGE_PAGE_BYTES;
	uint8_t *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED)
		fail("memory");
	base += HUGE_PAGE_BYTES - (uintptr_t)base % HUGE_PAGE_BYTES;
	madvise(base, bytes - HUGE_PAGE_BYTES, MADV_HUGEPAGE);
	return base;
}

static void describe_memory(struct bench *b)
{
	uint64_t count = PAGES / SECTION_PAGES;
	struct memmap_section *sections = calloc(count, sizeof(*sections));

	if (!sections)
		fail("memory for the sections");
	for (uint64_t i = 0; i < count; i++)
		sections[i].section = FIRST_PFN / SECTION_PAGES + i;
	b->memmap = (struct memmap){ .base = b->machine.buddy->base, .sections = sections,
				     .count = count };
	b->topology.node_count = 1;
	b->topology.nodes[0].pages = PAGES;
	b->topology.ram[0] = (struct ram_range){ FIRST_PFN, FIRST_PFN + PAGES, 0 };
	b->topology.ram_count = 1;
	b->topology.ram_pages = PAGES;
	for (uint32_t cpu = 0; cpu < b->machine.cpu_count; cpu++)
		b->topology.cpus[cpu] = (struct cpu){ .apic_id = cpu, .core = cpu,
						      .online = true };
	b->topology.cpu_count = b->machine.cpu_count;
}

static void set_up(struct bench *b, uint32_t repetitions, uint32_t cpus)
{
	machine_open(&b->machine);
	b->machine.allocator.cpu_count = cpus;
	b->machine.allocator.node_cpus[0] = cpus;
	describe_memory(b);
	b->machine.allocator.memmap = &b->memmap;
	b->options.repeat = repetitions;
	memset(b->options.pcp_chosen, true, sizeof(b->options.pcp_chosen));
	b->lab_machine = (struct lab_machine){ .run = run_on, .now = now_tsc };
	b->input = (struct alloc_input){ .machine = &b->lab_machine, .topology = &b->topology,
					 .memmap = &b->memmap, .options = &b->options,
					 .allocator = &b->machine.allocator, .base = map_ram(),
					 .tsc_hz = tsc_hz() };
	b->lab_machine.timeout_cycles = 10 * b->input.tsc_hz;
}

static void write_out(void *context, const char *text, size_t length)
{
	(void)context;
	fwrite(text, 1, length, stdout);
}

/* ---- measuring ------------------------------------------------------------------------------ */

static void measure(struct bench *b, uint32_t slice_us)
{
	const struct stream_choice choice = {
		.queue_bytes = { 0, 16384, 65536, 212992, STREAM_QUEUE_TODAY },
		.queue_count = 5,
		.pairs_max = 1,
		.slice_us = slice_us,
		.total_ms = UINT32_MAX,
	};
	uint64_t bytes = stream_bytes(&b->input);
	void *memory = aligned_alloc(64, bytes);

	if (!memory || !stream_run_chosen(&b->input, &choice, memory, bytes, &b->results))
		fail("memory for the experiment");
}

int main(int argc, char **argv)
{
	static const struct sink sink = { .write = write_out };
	uint32_t repetitions = argc > 1 ? number(argv[0], argv[1], REPEAT_MAX) : REPETITIONS;
	uint32_t slice_us = argc > 2 ? number(argv[0], argv[2], 1000000) : SLICE_US;
	uint32_t cpus = argc > 3 ? number(argv[0], argv[3], CPU_MAX) : SIZED_FOR;

	print_cpu();
	set_up(&bench, repetitions, cpus < CPUS ? CPUS : cpus);
	printf("%u CPUs, %llu MHz, slabs as for %u CPUs\n", bench.machine.cpu_count,
	       (unsigned long long)bench.input.tsc_hz / 1000000,
	       bench.machine.allocator.cpu_count);
	measure(&bench, slice_us);
	report_open(&bench.report, &sink, &bench.options);
	bench.report.tsc_hz = bench.input.tsc_hz;
	report_stream(&bench.report, &bench.results);
	return bench.results.fault ? 1 : 0;
}
