/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The words for a cell of the experiment `pcp`: what is measured, by which CPUs. */
#include "lab/alloc/pcp.h"

/* What is measured in a cell, in REPORT_PCP_NAME bytes; returns `name`. */
enum { REPORT_PCP_NAME = 48 };
const char *report_pcp_cell(char *name, const struct pcp_cell *cell);
