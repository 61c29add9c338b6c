/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The story: from the loader's bytes to a report, one step a line. Nothing is decided here; every
 * step is a function of its own file. What goes wrong on the way is either noted (an anomaly) or
 * ends the run with a clear message.
 */
#include "boot/loader.h"
#include "experiments/table.h"
#include "kernel/caching.h"
#include "kernel/clock.h"
#include "kernel/console.h"
#include "kernel/counters.h"
#include "kernel/entry.h"
#include "kernel/exit.h"
#include "kernel/hardware_laboratory.h"
#include "kernel/machine_check.h"
#include "kernel/paging.h"
#include "kernel/map_memmap.h"
#include "kernel/begin_and_end.h"
#include "kernel/pic.h"
#include "kernel/self_test.h"
#include "kernel/traps.h"
#include "lab/run/begin.h"
#include "lib/cpu.h"
#include "mm/machine/machine.h"
#include "report/anomaly.h"
#include "report/machine/machine.h"
#include "report/machine/memmap.h"
#include "report/machine/memory_map.h"
#include "report/opening.h"
#include "smp/dispatch/cpu_model.h"
#include "smp/start/bringup.h"
#include "smp/start/lapic.h"
#include "smp/start/percpu.h"
#include "smp/start/tsc_bound.h"
#include "smp/start/vector_state.h"

void kernel_main(const struct entry_facts *entry);

/* Too large for a stack, and needed until the end. */
static struct run run;
static struct machine *const machine = &run.machine;
static struct options *const options = &run.options;
static struct memmap memmap;

static void start(const struct entry_facts *entry)
{
	bool read;

	phases_begin(&run.phases, entry->tsc);
	percpu_load(&boot_percpu);
	traps_init();
	traps_load();
	pic_silence();
	machine_check_enable();
	caching_reset_attributes();
	vector_state_enable();
	read = boot_info_read(&machine->boot, entry->magic, &entry_reader, entry->info,
			      &machine->log);
	options_parse(machine->boot.cmdline, machine->boot.cmdline_cut, &experiment_words,
		      options);
	exit_configure(options->exit, 0, 0);
	console_init(options->serial_port);
	report_open(&run.report, console(), options);
	phase_done(&run.phases, "boot information");
	if (!read)
		run_give_up(&run, "no boot information: neither Multiboot2 nor PVH, or it cannot "
				  "be read");
}

static void take_memory(void)
{
	if (!machine_read_map(machine))
		run_give_up(&run, "no usable memory in the loader's map");
	machine_cut_map(machine, cpu_address_bits(cpuid_here, NULL));
	caching_read(&machine->mtrr);
	mtrr_cut_map(&machine->mtrr, &machine->map, &machine->log);
	machine_open_memory(machine, entry_image());
	phase_done(&run.phases, "memory map");
	machine_find_tables(machine, &entry_reader); /* while nothing has been given away */
	exit_configure(options->exit, machine->fadt.reset_port, machine->fadt.reset_value);
	phase_done(&run.phases, "ACPI tables");
	if (!paging_init(&machine->early, &machine->map))
		run_give_up(&run, "not enough memory below 4 GiB for the page tables");
	machine_move_tables(machine, &paging_reader);
	phase_done(&run.phases, "page tables");
}

static void set_clock(void)
{
	run.clock = clock_init(&machine->hpet, &machine->fadt, &machine->log);
	if (run.clock.source == TSC_ASSUMED)
		anomaly_add(&machine->log, "clock", 0,
			    "no clock to measure the TSC by: 1 GHz is assumed", 0);
	phase_done(&run.phases, "clock");
	run_report_start(&run);
}

static void join_topology(void)
{
	uint32_t boot_apic_id;
	struct topology *topology;

	machine_parse_tables(machine);
	boot_apic_id = lapic_boot_id();
	topology = early_alloc_bytes(&machine->early, sizeof(*topology), direct(0));
	if (!topology)
		run_give_up(&run, "too little memory for the topology");
	machine_join(machine, topology, boot_apic_id);
	phase_done(&run.phases, "topology");
}

static void start_processors(void)
{
	struct bringup_facts facts;

	caching_expect(&machine->mtrr, &machine->map);
	smp_start(machine->topology, &machine->early, machine->madt.lapic_address, options->inject,
		  &facts, &machine->log);
	caching_note(machine->topology, &machine->log);
	phase_done(&run.phases, "processors");
	lab_check_options(options, machine->topology, &machine->log);
	tsc_bound_measure(machine->topology);
	phase_done(&run.phases, "TSC offsets");
	report_memory_map(&run.report, &machine->map);
	report_topology(&run.report, machine->topology);
	report_bringup(&run.report, &facts, paging_direct_gib_pages());
	report_anomalies(&run.report, &machine->log);
}

static void make_memmap(void)
{
	const char *fault = map_memmap(&memmap, machine, options);

	if (fault)
		run_give_up(&run, fault);
	phase_done(&run.phases, "memmap placed");
	report_memmap(&run.report, &memmap, machine->topology);
	report_phases(&run.report, run.phases.done, run.phases.count);
}

static void run_experiments(void)
{
	const struct hardware_parts parts = {
		.report = &run.report,
		.options = options,
		.topology = machine->topology,
		.hmat = &machine->hmat,
		.memmap = &memmap,
		.early = &machine->early,
		.tsc_hz = run.clock.tsc_hz,
	};

	counters_init();
	run_finish(&run, hardware_laboratory_run(&parts));
}

void kernel_main(const struct entry_facts *entry)
{
	start(entry);             /* loader's information, command line, console */
	take_memory();            /* sanitised map, ACPI tables, page tables */
	set_clock();              /* how fast the TSC runs */
	self_test(options);       /* inject=ud, stack, overrun: panics on purpose */
	join_topology();          /* nodes of CPUs, RAM, distances, bandwidths */
	start_processors();       /* all of them, in parallel */
	self_test_processors(options, machine->topology); /* inject=cpu-ud, inject=print */
	make_memmap();            /* a struct page for every frame, near to it */
	run_experiments();        /* initialise it in every way, verify, measure, report */
}
