/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* For our own mistakes only, never for what firmware, loader or user may send. */
_Noreturn void assert_fail(const char *expression, const char *file, int line);

#define lab_assert(e) ((e) ? (void)0 : assert_fail(#e, __FILE__, __LINE__))
