/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The CPUs: which came, and where they sit. */
#include "mm/machine/topology.h"
#include "report/field.h"

extern const struct record_type cpu_record;

/* How many there are, those that did not come, and in a long report all of them. */
void report_cpus(const struct report *report, const struct topology *topology);

/* `cpu` records. */
void report_cpu_records(struct report *report, const struct topology *topology);
