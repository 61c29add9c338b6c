/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Memory for a program that runs for a moment: running out ends it. */
#include <stddef.h>

void *resize_or_die(void *memory, size_t bytes);
void *array_or_die(size_t count, size_t bytes); /* zeroed; count 0 gives one element */
