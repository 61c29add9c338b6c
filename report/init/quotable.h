/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Which figures of the experiment `init` are too uncertain to be passed on. */
#include "report/init/parts.h"

/* Names the policies whose figures are too uncertain to be passed on. */
void report_not_quotable(struct report *report, const struct init_results *results,
			 const struct topology *topology);
