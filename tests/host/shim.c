/* SPDX-License-Identifier: GPL-2.0-only */
/* What the pure code takes from its surroundings, on a host. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/assert.h"

_Noreturn void assert_fail(const char *expression, const char *file, int line)
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
	abort();
}
