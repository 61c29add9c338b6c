/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The story: from the loader's bytes to a report, one step a line. Nothing is decided here; every
 * step is a function of its own file. What goes wrong on the way is either noted (an anomaly) or
 * ends the run with a clear message.
 */
#include "acpi/hmat.h"
#include "acpi/hpet_fadt.h"
#include "acpi/madt.h"
#include "acpi/rsdp.h"
#include "acpi/slit.h"
#include "acpi/srat.h"
#include "acpi/tables.h"
#include "boot/boot_info.h"
#include "experiments/table.h"
#include "lab/options.h"
#include "boot/multiboot2.h"
#include "boot/pvh.h"
#include "kernel/build_id.h"
#include "kernel/clock.h"
#include "kernel/console.h"
#include "kernel/counters.h"
#include "kernel/entry.h"
#include "kernel/exit.h"
#include "kernel/experiments.h"
#include "kernel/machine_check.h"
#include "kernel/paging.h"
#include "kernel/self_test.h"
#include "kernel/traps.h"
#include "lab/init/init_run.h"
#include "lab/run/begin.h"
#include "lib/cpu.h"
#include "lib/format.h"
#include "lib/page_units.h"
#include "lib/string.h"
#include "mm/machine/early_alloc.h"
#include "mm/machine/memmap.h"
#include "mm/machine/memory_map.h"
#include "mm/machine/topology.h"
#include "report/machine/machine.h"
#include "report/machine/memmap.h"
#include "report/report.h"
#include "report/run.h"
#include "smp/dispatch/cpu_model.h"
#include "smp/start/bringup.h"
#include "smp/start/lapic.h"
#include "smp/start/percpu.h"
#include "smp/start/tsc_bound.h"
#include "smp/start/vector_state.h"

enum {
	PHASES_MAX = 16,
	RSDP_BYTES = 36
};
#define IDENTITY_LIMIT (4ull << 30) /* what boot/entry.asm maps */

void kernel_main(const struct entry_facts *entry);

/* Too large for a stack, and needed until the end. */
static struct anomaly_log anomalies;
static struct boot_info boot;
static struct options options;
static struct memory_map map;
static struct memory_map_scratch map_scratch;
static struct ram_range plain_ram[MEMORY_RANGE_MAX];
static struct early_alloc early;
static struct acpi_tables tables;
static struct madt_facts madt;
static struct srat_facts srat;
static struct slit_facts slit;
static struct hmat_facts hmat;
static struct topology *topology; /* large: in memory of the early allocator */
static struct memmap memmap;
static struct clock_facts clock;
static struct report report;
static struct report_phase phases[PHASES_MAX];
static uint32_t phase_count;
static uint64_t phase_start;
static bool run_reported;

static void phase_done(const char *name)
{
	uint64_t now = tsc_ordered();

	if (phase_count < PHASES_MAX)
		phases[phase_count++] = (struct report_phase){ name, phase_start, now };
	phase_start = now;
}

/* -- Start: what the loader said, and a console to speak on ------------------------------------ */

static const void *identity_read(void *context, uint64_t address, uint64_t length)
{
	(void)context;
	if (address >= IDENTITY_LIMIT || length > IDENTITY_LIMIT - address)
		return NULL;
	return (const void *)address;
}

static bool read_boot_info(const struct entry_facts *entry)
{
	static const struct phys_reader reader = { identity_read, NULL };

	if (entry->magic == MULTIBOOT2_MAGIC)
		return boot_info_from_multiboot2(&boot, &reader, entry->info, &anomalies);
	if (entry->magic == PVH_MAGIC)
		return boot_info_from_pvh(&boot, &reader, entry->info, &anomalies);
	return false;
}

static uint64_t image_physical(void)
{
	return (uint64_t)__image_start - KERNEL_BASE + entry_facts.moved;
}

static struct cpuid_result ask_this_cpu(void *context, uint32_t leaf, uint32_t subleaf)
{
	(void)context;
	return cpuid(leaf, subleaf);
}

static void report_start(void)
{
	struct report_run_facts facts = {
		.build_id = kernel_build_id,
		.protocol = boot.protocol,
		.efi = boot.efi,
		.loader = boot.loader,
		.cmdline = boot.cmdline,
		.image = image_physical(),
		.tsc_hz = clock.tsc_hz,
		.tsc_source = clock.source,
		.tsc_invariant = clock.invariant,
		.overhead_cycles = clock.overhead_cycles,
	};

	cpu_model_decode(ask_this_cpu, NULL, &facts.cpu);
	run_reported = true;
	report_run(&report, &facts, &options);
	report_anomalies(&report, &anomalies);
}

static _Noreturn void finish(bool ok, const char *text)
{
	report_anomalies(&report, &anomalies);
	report_verdict(&report, ok, text);
	exit_run(ok ? EXIT_VALUE_OK : EXIT_VALUE_FAULT);
}

/* The end of a run that cannot go on, for a reason outside of this program. */
static _Noreturn void give_up(const char *text)
{
	if (!run_reported) {
		if (!clock.tsc_hz)
			clock = clock_init(NULL, NULL);
		report_start();
	}
	finish(false, text);
}

static void start(const struct entry_facts *entry)
{
	bool read;

	phase_start = entry->tsc;
	percpu_load(&boot_percpu);
	traps_init();
	traps_load();
	machine_check_enable();
	vector_state_enable();
	read = read_boot_info(entry);
	options_parse(boot.cmdline, &experiment_words, &options);
	exit_configure(options.exit, 0, 0);
	console_init(options.serial_port);
	report_open(&report, console(), &options);
	phase_done("boot information");
	if (!read)
		give_up("no boot information: neither Multiboot2 nor PVH, or it cannot be read");
}

/* -- Memory ------------------------------------------------------------------------------------ */

/* RAM beyond the reach of the direct map is left out. */
static void cut_unreachable(void)
{
	const uint64_t limit = DIRECT_BYTES >> PAGE_SHIFT;

	if (map.end_pfn <= limit)
		return;
	anomaly_add(&anomalies, "memory", 0, "RAM above 64 TiB is left out",
		    map.end_pfn << PAGE_SHIFT);
	memory_map_cut(&map, limit);
}

static uint32_t list_plain_ram(void)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < map.count; i++)
		if (map.ranges[i].type == MEMORY_USABLE)
			plain_ram[count++] = (struct ram_range){ map.ranges[i].start_pfn,
								 map.ranges[i].end_pfn, 0 };
	return count;
}

/* Frame 0 (a NULL in disguise), the image, and what the loader left. */
static void reserve_occupied(void)
{
	uint64_t image = image_physical();

	early_alloc_reserve(&early, 0, PAGE_BYTES);
	early_alloc_reserve(&early, image, image + (uint64_t)(__image_end - __image_start));
	for (uint32_t i = 0; i < boot.keep_count; i++)
		early_alloc_reserve(&early, boot.keep[i].start, boot.keep[i].end);
}

static void take_memory(void)
{
	if (!memory_map_build(&map, boot.memory, boot.memory_count, &map_scratch, &anomalies))
		give_up("no usable memory in the loader's map");
	cut_unreachable();
	early_alloc_init(&early, plain_ram, list_plain_ram());
	reserve_occupied();
	phase_done("memory map");
	if (!paging_init(&early, &map))
		give_up("not enough memory below 4 GiB for the page tables");
	phase_done("page tables");
}

static void *allocate(uint64_t bytes)
{
	uint64_t pages = (bytes + PAGE_BYTES - 1) >> PAGE_SHIFT;
	uint64_t pfn = early_alloc_pages(&early, pages ? pages : 1, 1, NODE_ANY, UINT64_MAX);

	return pfn == EARLY_ALLOC_NONE ? NULL : direct(pfn << PAGE_SHIFT);
}

/* -- Firmware ---------------------------------------------------------------------------------- */

/* A good RSDP at `address` into `rsdp`; its usable length, or 0. */
static uint32_t rsdp_at(uint64_t address, uint8_t rsdp[RSDP_BYTES])
{
	const void *found = address ? paging_read(NULL, address, RSDP_BYTES) : NULL;

	if (!found)
		return 0;
	memcpy(rsdp, found, RSDP_BYTES);
	return acpi_rsdp_check(rsdp, RSDP_BYTES);
}

/* The loader's copy, the address it gave, the BIOS area as the last resort. */
static bool find_tables(const struct phys_reader *reader)
{
	uint8_t rsdp[RSDP_BYTES];
	uint32_t length = acpi_rsdp_check(boot.rsdp, boot.rsdp_length);

	memcpy(rsdp, boot.rsdp, RSDP_BYTES);
	if (!length)
		length = rsdp_at(boot.rsdp_address, rsdp);
	if (!length)
		length = rsdp_at(acpi_rsdp_search(reader), rsdp);
	return length && acpi_tables_load(&tables, reader, rsdp, length, &anomalies);
}

static void read_firmware(void)
{
	static const struct phys_reader reader = { paging_read, NULL };
	struct hpet_facts hpet;
	struct fadt_facts fadt;

	if (!find_tables(&reader))
		anomaly_add(&anomalies, "RSDP", 0,
			    "no ACPI tables: one node, all RAM, the boot CPU alone", 0);
	hpet_parse(&tables.hpet, &hpet, &anomalies);
	fadt_parse(&tables.fadt, &fadt, &anomalies);
	exit_configure(options.exit, fadt.reset_port, fadt.reset_value);
	phase_done("ACPI tables");
	clock = clock_init(&hpet, &fadt);
	if (string_equal(clock.source, "assumed"))
		anomaly_add(&anomalies, "clock", 0,
			    "no clock to measure the TSC by: 1 GHz is assumed", 0);
	phase_done("clock");
	report_start();
}

/* -- Topology and processors ------------------------------------------------------------------- */

static void join_topology(void)
{
	bool have_madt = madt_parse(&tables.madt, &madt, &anomalies);
	bool have_srat = srat_parse(&tables.srat, &srat, &anomalies);
	bool have_slit = slit_parse(&tables.slit, &slit, &anomalies);
	bool have_hmat = hmat_parse(&tables.hmat, &hmat, &anomalies);
	struct topology_input input = {
		.map = &map,
		.madt = have_madt ? &madt : NULL,
		.srat = have_srat ? &srat : NULL,
		.slit = have_slit ? &slit : NULL,
		.hmat = have_hmat ? &hmat : NULL,
		.boot_apic_id = lapic_boot_id(),
	};

	topology = allocate(sizeof(*topology));
	if (!topology)
		give_up("too little memory for the topology");
	topology_join(topology, &input, &anomalies);
	early.ram = topology->ram;
	early.ram_count = topology->ram_count;
	phase_done("topology");
}

static void start_processors(void)
{
	struct bringup_facts facts;
	struct report_bringup bringup;

	smp_start(topology, &early, madt.lapic_address, options.inject, &facts, &anomalies);
	phase_done("processors");
	lab_check_options(&options, topology, &anomalies);
	tsc_bound_measure(topology);
	phase_done("TSC offsets");
	report_memory_map(&report, &map);
	report_topology(&report, topology);
	bringup = (struct report_bringup){ facts.x2apic, facts.started, facts.arrived, facts.cycles,
					   paging_direct_gib_pages() };
	report_bringup(&report, &bringup);
	report_anomalies(&report, &anomalies);
}

/* -- The memmap -------------------------------------------------------------------------------- */

/* Short enough for a line of the report, behind the word for the verdict. */
static _Noreturn void too_little_memory(uint64_t missing_pages)
{
	static char text[100];
	uint64_t needed_mib = memmap.count * HUGE_PAGE_BYTES >> 20;
	uint64_t missing_mib = (missing_pages * PAGE_BYTES + (1 << 20) - 1) >> 20;

	format(text, sizeof(text),
	       "too little memory: the memmap needs %lu MiB in 2 MiB pages, %lu MiB are missing",
	       needed_mib, missing_mib);
	give_up(text);
}

static enum vmemmap largest_page(void)
{
	if (options.vmemmap == VMEMMAP_1G && !paging_has_gib_pages())
		return VMEMMAP_2M;
	return options.vmemmap;
}

static void place_memmap(void)
{
	uint64_t missing_pages;

	memmap.base = (struct page *)MEMMAP_BASE;
	memmap.place = options.place;
	memmap.largest = largest_page();
	memmap.count = memmap_count_sections(topology);
	missing_pages = memmap.count * HUGE_PAGE_PAGES;
	memmap.sections = allocate(memmap.count * sizeof(*memmap.sections));
	if (!memmap.sections || !memmap_plan(&memmap, topology, &early, &missing_pages))
		too_little_memory(missing_pages);
	if (!paging_map_memmap(&memmap))
		give_up("not enough memory for the memmap's page tables");
	phase_done("memmap placed");
	report_memmap(&report, &memmap, topology);
	report_phases(&report, phases, phase_count);
}

/* What was checked all the time. */
static const char *no_fault(void)
{
	const bool *chosen = options.experiment_chosen;

	if (chosen[EXPERIMENT_PCP] || chosen[EXPERIMENT_FREE])
		return "every struct page is as it must be; no page was lost or freed twice";
	return "every struct page is as it must be";
}

static void run_experiments(void)
{
	struct experiments experiments = {
		.report = &report,
		.options = &options,
		.topology = topology,
		.hmat = &hmat,
		.memmap = &memmap,
		.early = &early,
		.tsc_hz = clock.tsc_hz,
	};
	const char *fault;

	counters_init();
	fault = experiments_run(&experiments);
	finish(!fault, fault ? fault : no_fault());
}

void kernel_main(const struct entry_facts *entry)
{
	start(entry);             /* loader's information, command line, console */
	take_memory();            /* sanitised map, page tables */
	read_firmware();          /* ACPI tables, clock */
	self_test(&options);      /* inject=ud, inject=stack: the exceptions on purpose */
	join_topology();          /* nodes of CPUs, RAM, distances, bandwidths */
	start_processors();       /* all of them, in parallel */
	self_test_processors(&options, topology); /* inject=cpu-ud, inject=print */
	place_memmap();           /* a struct page for every frame, near to it */
	run_experiments();        /* initialise it in every way, verify, measure, report */
}
