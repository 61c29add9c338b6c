/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The answer for people, on stdout. */
#include <stdio.h>

#include "tools/inspect/load.h"
#include "tools/inspect/inspection.h"

/* Says what is wrong with the tables; nothing where nothing is. */
void print_anomalies(FILE *to, const struct anomaly_log *log, const struct table_folder *folder);

void print_text(const struct inspection *inspection, const struct table_folder *folder);
