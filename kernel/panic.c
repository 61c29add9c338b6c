/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/panic.h"

#include <stdarg.h>
#include <stddef.h>

#include "kernel/backtrace.h"
#include "kernel/console.h"
#include "kernel/exit.h"
#include "kernel/traps.h"
#include "lib/assert.h"
#include "lib/format.h"
#include "smp/start/percpu.h"
#include "smp/start/roster.h"
#include "smp/start/work.h"

enum { PANIC_TEXT_BYTES = 512 };

static _Atomic(const struct percpu *) reporter;
static uint32_t reporter_entries;

bool panic_entered(void)
{
	return atomic_load(&reporter) != NULL;
}

bool panic_reporter(void)
{
	return atomic_load(&reporter) == this_cpu();
}

bool panic_enter(void)
{
	const struct percpu *first = NULL;

	if (!atomic_compare_exchange_strong(&reporter, &first, this_cpu()) && first != this_cpu())
		cpu_park();
	reporter_entries++;
	if (reporter_entries > 2)
		exit_run(EXIT_VALUE_PANIC);
	if (reporter_entries == 2)
		return false;
	console_seize();
	smp_halt_others();
	return true;
}

_Noreturn void panic(const char *pattern, ...)
{
	char text[PANIC_TEXT_BYTES];
	bool first = panic_enter();
	const struct backtrace_start caller = {
		.rip = (uint64_t)__builtin_return_address(0),
		.rbp = *(const uint64_t *)__builtin_frame_address(0),
	};
	va_list list;

	va_start(list, pattern);
	format_list(text, sizeof(text), pattern, list);
	va_end(list);
	sink_print(console(), "\nPANIC%s: %s\n  CPU %u (APIC id %u)\n",
		   first ? "" : " while reporting", text, this_cpu()->cpu, this_cpu()->apic_id);
	if (first)
		backtrace_print(console(), this_cpu(), &caller);
	exit_run(EXIT_VALUE_PANIC);
}

_Noreturn void assert_fail(const char *expression, const char *file, int line)
{
	panic("%s:%d: assertion failed: %s", file, line, expression);
}
