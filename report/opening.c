/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/opening.h"

#include "lib/format.h"
#include "report/options.h"
#include "report/text.h"

void report_open(struct report *report, const struct sink *sink, const struct options *options)
{
	report->sink = sink;
	record_stream_init(&report->records, sink, options->records);
	report->verbose = options->verbose;
	report->descriptor_bytes = options->page_size;
	report->asked_vmemmap = options->vmemmap;
	report->tsc_hz = 0;
	report->tsc_invariant = false;
	report->cmdline_issues = options->issue_count;
	report->anomalies = report->anomalies_dropped = 0;
	report->progress_start_tsc = report->progress_shown_tsc = 0;
}

static void clock_line(const struct report *report, const struct report_run_facts *facts)
{
	char mhz[REPORT_CELL], ns[REPORT_CELL];

	format_ratio(mhz, facts->tsc_hz, 1000000, 3);
	/* Tenths, from cycles * 1e9 / hz. */
	format_ratio(ns, report_ns(report, facts->overhead_cycles * 10), facts->tsc_hz ? 10 : 0, 1);
	report_line(report,
		    "clock: TSC, %s MHz (from %s), %s; empty measurement: %llu cycles, %s ns",
		    mhz, facts->tsc_source, facts->tsc_invariant ? "invariant" : "NOT invariant",
		    (unsigned long long)facts->overhead_cycles, ns);
}

static const char *cache_size(char *to, uint64_t bytes)
{
	if (!bytes)
		return "unknown";
	format(to, REPORT_CELL, "%llu KiB", (unsigned long long)bytes >> 10);
	return to;
}

static void cpu_line(const struct report *report, const struct cpu_model *cpu)
{
	char l2[REPORT_CELL], l3[REPORT_CELL];

	report_wrapped(report, "CPU: %s, family %u, model %u, stepping %u; L2 %s, L3 %s; %s%s",
		       cpu->name[0] ? cpu->name : "unnamed", cpu->family, cpu->model,
		       cpu->stepping, cache_size(l2, cpu->l2_bytes), cache_size(l3, cpu->l3_bytes),
		       cpu->hypervisor[0] ? "hypervisor " : "no hypervisor seen", cpu->hypervisor);
}

/* ---- the record `run` ------------------------------------------------------------------------ */

/* Raised where a reader of the records has to know of a change. */
enum { RECORDS_SCHEMA = 2 };

struct run_row {
	uint32_t schema;
	struct report_run_facts facts;
};

static const char *firmware_name(uint32_t efi)
{
	return efi ? "efi" : "bios";
}

static const struct field run_fields[] = {
	FIELD(struct run_row, schema, AS_NUMBER, .name = "schema", .meaning = "2"),
	FIELD(struct run_row, facts.version, AS_TEXT, .name = "version"),
	FIELD(struct run_row, facts.build_id, AS_TEXT, .name = "build", .meaning = "a commit"),
	FIELD(struct run_row, facts.protocol, AS_WORD,
	      WORDS(boot_protocol_name, BOOT_PROTOCOLS), .name = "protocol"),
	FIELD(struct run_row, facts.efi, AS_WORD, WORDS(firmware_name, 2), .name = "firmware"),
	FIELD(struct run_row, facts.loader, AS_TEXT, .name = "loader"),
	FIELD(struct run_row, facts.image, AS_HEX, .name = "image",
	      .meaning = "physical address of the kernel"),
	FIELD(struct run_row, facts.tsc_hz, AS_NUMBER, .name = "tsc_hz"),
	FIELD(struct run_row, facts.tsc_source, AS_TEXT, .name = "tsc_source"),
	FIELD(struct run_row, facts.tsc_invariant, AS_BOOL, .name = "tsc_invariant"),
	FIELD(struct run_row, facts.overhead_cycles, AS_NUMBER, .name = "timer_overhead_cycles",
	      .meaning = "of an empty measurement"),
	FIELD(struct run_row, facts.cpu.name, AS_TEXT, .name = "cpu_model",
	      .meaning = "brand string of the boot CPU, as are the next ones, from CPUID"),
	FIELD(struct run_row, facts.cpu.family, AS_NUMBER, .name = "cpu_family"),
	FIELD(struct run_row, facts.cpu.model, AS_NUMBER, .name = "cpu_model_number"),
	FIELD(struct run_row, facts.cpu.stepping, AS_NUMBER, .name = "cpu_stepping"),
	FIELD(struct run_row, facts.cpu.l2_bytes, AS_NUMBER, .name = "cpu_l2_bytes",
	      .meaning = "of one such cache; 0: not told"),
	FIELD(struct run_row, facts.cpu.l3_bytes, AS_NUMBER, .name = "cpu_l3_bytes",
	      .meaning = "of one such cache; 0: not told"),
	FIELD(struct run_row, facts.cpu.hypervisor, AS_TEXT, .name = "hypervisor",
	      .meaning = "signature; empty: none says that it is there"),
	/* Last, because it is the one that may be too long. */
	FIELD(struct run_row, facts.cmdline, AS_TEXT, .name = "cmdline"),
};
const struct record_type run_record = RECORD_TYPE("run", "first", run_fields);

void report_run(struct report *report, const struct report_run_facts *facts,
		const struct options *options)
{
	const struct run_row row = { RECORDS_SCHEMA, *facts };

	report->tsc_hz = facts->tsc_hz;
	report->tsc_invariant = facts->tsc_invariant;
	report_line(report, "memmap-lab %.20s, build %.40s", facts->version, facts->build_id);
	report_line(report, "booted by %.60s through %s, %s firmware",
		    facts->loader[0] ? facts->loader : "an unnamed loader",
		    boot_protocol_name(facts->protocol), facts->efi ? "EFI" : "BIOS");
	report_wrapped_text(report, "command line: ",
			    facts->cmdline[0] ? facts->cmdline : "(empty)");
	cpu_line(report, &facts->cpu);
	clock_line(report, facts);
	report_options(report, options);
	field_record(&report->records, &run_record, &row);
	report_option_records(report, options);
}

/* ---- phases ---------------------------------------------------------------------------------- */

static const struct field phase_fields[] = {
	FIELD(struct report_phase, name, AS_TEXT, .name = "name", .title = "phase", .width = -24),
	FIELD(struct report_phase, cycles, AS_NUMBER, .name = "cycles", .title = "took",
	      .unit = "cycles", .width = 16, .meaning = "that the phase took"),
	FIELD(struct report_phase, cycles, AS_MS, .title = "took", .unit = "ms", .width = 12),
	FIELD(struct report_phase, end_cycles, AS_MS, .name = "end_cycles", .title = "ended at",
	      .unit = "ms", .width = 12, .meaning = "since the first instruction"),
	FIELD(struct report_phase, end_tsc, AS_NUMBER, .name = "end_tsc"),
};
const struct record_type phase_record =
	RECORD_TYPE("phase", "one per phase of the boot", phase_fields);

void report_phases(struct report *report, const struct report_phase *phases, uint32_t count)
{
	struct field_table table;

	report_heading(report, "phases of the boot, from the first instruction");
	field_table_begin(&table, report, FIELDS(phase_fields));
	for (uint32_t i = 0; i < count; i++)
		field_table_row(&table, &phases[i]);
	for (uint32_t i = 0; i < count; i++)
		field_record(&report->records, &phase_record, &phases[i]);
}
