/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/run.h"

#include "lib/format.h"
#include "report/table.h"
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

static const char *protocol_name(enum boot_protocol protocol)
{
	switch (protocol) {
	case BOOT_MULTIBOOT2:
		return "multiboot2";
	case BOOT_PVH:
		return "pvh";
	case BOOT_HOST:
		return "host";
	case BOOT_NONE:
		break;
	}
	return "none";
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

static void cpu_fields(struct record_stream *records, const struct cpu_model *cpu)
{
	record_text(records, "cpu_model", cpu->name);
	record_u64(records, "cpu_family", cpu->family);
	record_u64(records, "cpu_model_number", cpu->model);
	record_u64(records, "cpu_stepping", cpu->stepping);
	record_u64(records, "cpu_l2_bytes", cpu->l2_bytes);
	record_u64(records, "cpu_l3_bytes", cpu->l3_bytes);
	record_text(records, "hypervisor", cpu->hypervisor);
}

static void run_record(struct record_stream *records, const struct report_run_facts *facts)
{
	record_begin(records, "run");
	record_u64(records, "schema", 1);
	record_text(records, "build", facts->build_id);
	record_text(records, "protocol", protocol_name(facts->protocol));
	record_text(records, "firmware", facts->efi ? "efi" : "bios");
	record_text(records, "loader", facts->loader);
	record_u64(records, "image", facts->image);
	record_u64(records, "tsc_hz", facts->tsc_hz);
	record_text(records, "tsc_source", facts->tsc_source);
	record_bool(records, "tsc_invariant", facts->tsc_invariant);
	record_u64(records, "timer_overhead_cycles", facts->overhead_cycles);
	cpu_fields(records, &facts->cpu);
	/* Last, because it is the one that may be too long. */
	record_text(records, "cmdline", facts->cmdline);
	record_end(records);
}

static uint32_t kept_issues(const struct options *options)
{
	return options->issue_count < CMDLINE_ISSUES ? options->issue_count : CMDLINE_ISSUES;
}

/* Length of the key in `word`, its '=' included. */
static int key_length(const char *word)
{
	int length = 0;

	while (word[length] && word[length] != '=')
		length++;
	return word[length] ? length + 1 : length;
}

static void cmdline_issues(const struct report *report, const struct options *options)
{
	const struct cmdline_issue *unknown = NULL;
	char allowed[OPTION_TEXT];

	for (uint32_t i = 0; i < kept_issues(options); i++) {
		const struct cmdline_issue *issue = &options->issues[i];

		if (!issue->key) {
			unknown = issue;
			report_line(report, "cmdline: unknown key '%.*s'", key_length(issue->word),
				    issue->word);
		} else {
			options_allowed(options, issue, allowed);
			report_wrapped(report, "cmdline: %.22s: allowed: %s; ignored, %s holds",
				       issue->word, allowed,
				       issue->holds[0] ? issue->holds : "the default");
		}
	}
	if (unknown) {
		options_allowed(options, unknown, allowed);
		report_wrapped(report, "cmdline: keys: %s", allowed);
	}
	if (options->issue_count > CMDLINE_ISSUES)
		report_line(report, "cmdline: %u more words were not understood",
			    options->issue_count - CMDLINE_ISSUES);
}

static void cmdline_records(struct record_stream *records, const struct options *options)
{
	for (uint32_t i = 0; i < kept_issues(options); i++) {
		record_begin(records, "anomaly");
		record_text(records, "table", "cmdline");
		record_u64(records, "offset", i);
		record_text(records, "reason",
			    options->issues[i].key ? "value not allowed" : "unknown key");
		record_u64(records, "value", 0);
		record_text(records, "word", options->issues[i].word);
		record_end(records);
	}
}

void report_run(struct report *report, const struct report_run_facts *facts,
		const struct options *options)
{
	report->tsc_hz = facts->tsc_hz;
	report->tsc_invariant = facts->tsc_invariant;
	report_line(report, "memmap-lab, build %.40s", facts->build_id);
	report_line(report, "booted by %.60s through %s, %s firmware",
		    facts->loader[0] ? facts->loader : "an unnamed loader",
		    protocol_name(facts->protocol), facts->efi ? "EFI" : "BIOS");
	report_wrapped(report, "command line: %s", facts->cmdline[0] ? facts->cmdline : "(empty)");
	cpu_line(report, &facts->cpu);
	clock_line(report, facts);
	cmdline_issues(report, options);
	run_record(&report->records, facts);
	cmdline_records(&report->records, options);
}

static void anomaly_record(struct record_stream *records, const struct anomaly *anomaly)
{
	record_begin(records, "anomaly");
	record_text(records, "table", anomaly->table);
	record_u64(records, "offset", anomaly->offset);
	record_text(records, "reason", anomaly->reason);
	record_u64(records, "value", anomaly->value);
	record_end(records);
}

void report_anomalies(struct report *report, const struct anomaly_log *log)
{
	for (uint32_t i = report->anomalies; i < log->count; i++) {
		const struct anomaly *anomaly = &log->entries[i];

		report_line(report, "anomaly: %s+0x%llx: %s (value 0x%llx)", anomaly->table,
			    (unsigned long long)anomaly->offset, anomaly->reason,
			    (unsigned long long)anomaly->value);
	}
	if (log->dropped > report->anomalies_dropped)
		report_line(report, "anomaly: %u more, for which there was no room",
			    log->dropped - report->anomalies_dropped);
	for (uint32_t i = report->anomalies; i < log->count; i++)
		anomaly_record(&report->records, &log->entries[i]);
	report->anomalies = log->count;
	report->anomalies_dropped = log->dropped;
}

void report_phases(struct report *report, const struct report_phase *phases, uint32_t count)
{
	static const struct column columns[] = {
		{ "phase", "", -24 },
		{ "took", "cycles", 16 },
		{ "took", "ms", 12 },
		{ "ended at", "ms", 12 },
	};
	struct table table;
	struct record_stream *records = &report->records;

	report_heading(report, "phases of the boot, from the first instruction");
	table_begin(&table, report, columns, 4);
	for (uint32_t i = 0; i < count; i++) {
		table_text(&table, phases[i].name);
		table_u64(&table, elapsed(phases[i].start_tsc, phases[i].end_tsc));
		table_ms(&table, elapsed(phases[i].start_tsc, phases[i].end_tsc));
		table_ms(&table, elapsed(phases[0].start_tsc, phases[i].end_tsc));
	}
	for (uint32_t i = 0; i < count; i++) {
		record_begin(records, "phase");
		record_text(records, "name", phases[i].name);
		record_u64(records, "cycles", elapsed(phases[i].start_tsc, phases[i].end_tsc));
		record_u64(records, "end_cycles", elapsed(phases[0].start_tsc, phases[i].end_tsc));
		record_u64(records, "end_tsc", phases[i].end_tsc);
		record_end(records);
	}
}

/* Whoever reads only the end sees that another run was asked for. */
static void issues_line(const struct report *report)
{
	uint32_t words = report->cmdline_issues;

	if (words)
		report_heading(report,
			       "%u %s of the command line %s not understood, see the top", words,
			       words == 1 ? "word" : "words", words == 1 ? "was" : "were");
}

void report_verdict(struct report *report, bool ok, const char *text)
{
	struct record_stream *records = &report->records;
	const char *verdict = ok ? "ok" : "fault";

	issues_line(report);
	report_heading(report, "verdict: %s: %s", verdict, text);
	record_begin(records, "verdict");
	record_text(records, "verdict", verdict);
	record_text(records, "text", text);
	record_end(records);
	record_begin(records, "end");
	record_u64(records, "records", records->seq + 1);
	record_text(records, "verdict", verdict);
	record_end(records);
}
