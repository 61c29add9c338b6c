/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Beginning of the report: who booted what, the clock, the command line, the phases of the boot. */
#include "boot/boot_info.h"
#include "lab/options.h"
#include "report/field.h"
#include "smp/dispatch/cpu_model.h"

struct report_run_facts {
	const char *version;  /* of this program, "0.2.0" */
	const char *build_id; /* the commit that it was built from */
	enum boot_protocol protocol;
	bool efi;
	const char *loader;
	const char *cmdline;
	uint64_t image; /* physical address */
	uint64_t tsc_hz;
	const char *tsc_source;
	bool tsc_invariant;
	uint64_t overhead_cycles; /* of an empty measurement */
	struct cpu_model cpu;     /* the boot CPU */
};

/* A part of the boot. The first one starts at the first instruction. */
struct report_phase {
	const char *name;
	uint64_t cycles;     /* that it took */
	uint64_t end_cycles; /* from the first instruction to its end */
	uint64_t end_tsc;
};

extern const struct record_type run_record, phase_record;

/* `options` is read here only. */
void report_open(struct report *report, const struct sink *sink, const struct options *options);

/* First: who booted what on which CPU, the clock, the faults of the command line; record `run`. */
void report_run(struct report *report, const struct report_run_facts *facts,
		const struct options *options);

void report_phases(struct report *report, const struct report_phase *phases, uint32_t count);
