/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Policy lazy: a short critical path against what first use then costs. */
#include "report/init/parts.h"

/* Policy lazy: what first use costs. Nothing without such runs. */
void report_lazy(struct report *report, const struct init_results *results);
