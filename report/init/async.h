/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Policy async: what the boot CPU's allocations cost while the workers run. */
#include "report/init/parts.h"

/* Policy async: the boot CPU's allocations while the workers run. Nothing without such runs. */
void report_async(struct report *report, const struct init_results *results);
