/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/begin_and_end.h"

#include <stddef.h>

#include "experiments/driver.h"
#include "kernel/build_id.h"
#include "kernel/console.h"
#include "kernel/entry.h"
#include "kernel/exit.h"
#include "kernel/nmi.h"
#include "lib/cpu.h"
#include "report/anomaly.h"
#include "report/opening.h"
#include "report/verdict.h"
#include "smp/dispatch/cpu_model.h"

void run_report_start(struct run *run)
{
	const struct boot_info *boot = &run->machine.boot;
	struct report_run_facts facts = {
		.version = kernel_version,
		.build_id = kernel_build_id,
		.protocol = boot->protocol,
		.efi = boot->efi,
		.loader = boot->loader,
		.cmdline = boot->cmdline,
		.image = entry_image().start,
		.tsc_hz = run->clock.tsc_hz,
		.tsc_source = tsc_source_name(run->clock.source),
		.tsc_invariant = run->clock.invariant,
		.overhead_cycles = run->clock.overhead_cycles,
	};

	cpu_model_decode(cpuid_here, NULL, &facts.cpu);
	run->reported = true;
	report_run(&run->report, &facts, &run->options);
	report_anomalies(&run->report, &run->machine.log);
}

_Noreturn void run_finish(struct run *run, const char *fault)
{
	uint64_t lost;

	nmi_note(run->machine.topology, &run->machine.log);
	report_anomalies(&run->report, &run->machine.log);
	console_retry();
	lost = console_lost_bytes();
	report_verdict(&run->report, &(struct report_end){
		.verdict = fault ? VERDICT_FAULT : lost ? VERDICT_CUT : VERDICT_OK,
		.text = fault ? fault : laboratory_passed(&run->options),
		.lost_bytes = lost,
	});
	exit_run(fault ? EXIT_VALUE_FAULT : EXIT_VALUE_OK);
}

_Noreturn void run_give_up(struct run *run, const char *text)
{
	if (!run->reported) {
		if (!run->clock.tsc_hz)
			run->clock = clock_init(NULL, NULL, &run->machine.log);
		run_report_start(run);
	}
	run_finish(run, text);
}
