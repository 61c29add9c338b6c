/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "acpi/tables.h"

bool hpet_parse(const struct acpi_table *table, struct hpet_facts *facts, struct anomaly_log *log);
bool fadt_parse(const struct acpi_table *table, struct fadt_facts *facts, struct anomaly_log *log);
