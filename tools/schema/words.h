/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <jansson.h>

/* What the kernel's command line understands, as an array with an object for each key: `name`,
 * `help`, `kind`, `allowed` (as a person is told), `default`; where the value is a number `min` and
 * `max`, where it is words `values`, with `name`, `help` and `unasked` (whether it holds where
 * nobody chose). */
json_t *words_of_command_line(void);
