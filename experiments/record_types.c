/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/record_types.h"

#include <stddef.h>

const struct record_type *const record_types[] = {
	NULL,
};
