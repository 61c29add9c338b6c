/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* One run of the lab: what was asked for, how its time is told, its report, and how it ends. */
#include <stdbool.h>

#include "kernel/clock.h"
#include "kernel/phases.h"
#include "lab/options.h"
#include "mm/machine/machine.h"
#include "report/report.h"

/* Too large for a stack. */
struct run {
	struct machine machine;
	struct options options;
	struct clock_facts clock;
	struct phases phases;
	struct report report;
	bool reported; /* the beginning of the report is out */
};

/* The beginning of the report; the clock must run. */
void run_report_start(struct run *run);

/* Ends the run: with the verdict ok, or with `fault`, one clause, where that is not NULL. */
_Noreturn void run_finish(struct run *run, const char *fault);

/* Ends a run that cannot go on, for a reason outside of this program. Works from the moment that
 * the report is open. */
_Noreturn void run_give_up(struct run *run, const char *text);
