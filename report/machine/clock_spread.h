/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What is known of the clocks of different CPUs. */
#include "report/report.h"

/* How far they may lie apart; nothing where no two could be compared. */
void report_clocks(const struct report *report, const struct topology *topology);
