/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What lies between nodes. */
#include "mm/machine/topology.h"
#include "report/field.h"

extern const struct record_type distance_record, bandwidth_record;

void report_distances(const struct report *report, const struct topology *topology);
void report_bandwidths(const struct report *report, const struct topology *topology);

/* `distance` and `bandwidth` records. */
void report_link_records(struct report *report, const struct topology *topology);
