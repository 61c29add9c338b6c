/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "lab/options.h"
#include "mm/machine/topology.h"

/* Raises the exception that inject= asks for, if any; it must end the run with the panic status. */
void self_test(const struct options *options);

/* Likewise, of what needs the other CPUs: inject=cpu-ud; and inject=print, 40 lines of each CPU,
 * all at once, of which none may be cut or lost. */
void self_test_processors(const struct options *options, const struct topology *topology);
