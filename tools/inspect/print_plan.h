/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* On stdout, of a machine whose plan was made. */
#include "tools/inspect/inspection.h"

/* The plan of the policy that was asked for, node by node, and where its numbers come from. */
void print_plan(const struct inspection *inspection);

/* All policies, a line each. */
void print_policies(const struct inspection *inspection);
