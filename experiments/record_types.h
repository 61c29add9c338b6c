/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Every type of record that the report writes, for the schema and the documentation. */
#include "report/field.h"

/* In the order of the documentation; a NULL ends it. A type whose records differ by experiment or
 * scope stands there once for each, with FIELD_CONSTANT to tell them apart. */
extern const struct record_type *const record_types[];
