/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Faults on purpose, by inject=: the lab tests what it would say of them. */
#include "lab/options.h"
#include "mm/machine/topology.h"

/* Raises the exception that inject= asks for, if any; it must end the run with the panic status. */
void self_test(const struct options *options);

/* What needs the other CPUs: inject=cpu-ud raises an exception on the last one, which must end the
 * run in the same way; inject=canary overwrites the word above its stack, which must end it after
 * the first experiment; inject=print has each CPU print 40 lines, all at once, of which none may be
 * cut or lost. */
void self_test_processors(const struct options *options, const struct topology *topology);
