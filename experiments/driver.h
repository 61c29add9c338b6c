/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The experiments that the command line chose, with the steps that they need. */
#include "experiments/laboratory.h"

/* Runs and reports them, one after the other. NULL when all found everything as it must be; else
 * what is wrong, in one clause. */
const char *laboratory_run(struct laboratory *laboratory);

/* The verdict on a run in which laboratory_run found no fault: what was checked all the time. */
const char *laboratory_passed(const struct options *options);
