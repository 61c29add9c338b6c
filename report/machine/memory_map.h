/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The sanitised memory map. */
#include "mm/machine/memory_map.h"
#include "report/field.h"

extern const struct record_type range_record;

void report_memory_map(struct report *report, const struct memory_map *map);
