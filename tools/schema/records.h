/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <jansson.h>

/* The JSON Schema of one record, whatever its type: `anyOf` over experiments/record_types.h. Each
 * entry has a title (the type), a description (when there is one), and for each field its type, its
 * unit ("x-unit", the ending of its name) and meaning. */
json_t *schema_of_records(void);
