/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/self_test.h"

#include <stdint.h>

#include "kernel/console.h"
#include "lib/string.h"
#include "smp/start/roster.h"
#include "smp/start/work.h"

enum { LINES = 40, PATIENCE_US = 60 * 1000 * 1000 };

/* Eats stack until it reaches the guard page; not a tail call, since the result is used. */
static __attribute__((noinline)) uint64_t overflow(volatile uint64_t depth)
{
	volatile uint64_t room[32];

	room[depth % 32] = depth;
	return depth == UINT64_MAX ? 0 : overflow(depth + 1) + room[depth % 32];
}

/* Seen when it returns. */
static __attribute__((noinline)) void overrun(size_t length)
{
	char array[16];

	memset(array, 'x', length);
	__asm__ volatile("" : : "r"(array) : "memory");
}

void self_test(const struct options *options)
{
	if (options->inject == INJECT_UD)
		__asm__ volatile("ud2");
	if (options->inject == INJECT_STACK)
		overflow(0);
	if (options->inject == INJECT_OVERRUN)
		overrun(40);
}

/* A fault that a CPU must report itself; the boot CPU waits for it in vain. */
static void undefined_instruction(void *argument, uint32_t index)
{
	(void)argument;
	(void)index;
	__asm__ volatile("ud2");
}

/* The tail is there to be cut. */
static void print_lines(void *argument, uint32_t index)
{
	char tail[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";

	(void)argument;
	tail[26 + index % 26] = '\0';
	for (uint32_t line = 0; line < LINES; line++)
		sink_print(console(), "self-test: CPU %u line %u %s\n", index, line,
			   tail + index % 26);
}

void self_test_processors(const struct options *options, const struct topology *topology)
{
	static uint32_t cpus[CPU_MAX];
	uint32_t count = 0;

	for (uint32_t cpu = 0; cpu < topology->cpu_count; cpu++)
		if (topology->cpus[cpu].online)
			cpus[count++] = cpu;
	if (options->inject == INJECT_CANARY)
		*(uint64_t *)roster_find(cpus[count - 1])->stack_top = 0;
	if (options->inject == INJECT_PRINT)
		smp_run(cpus, count, print_lines, NULL, PATIENCE_US);
	if (options->inject == INJECT_CPU_UD)
		smp_run(&cpus[count - 1], 1, undefined_instruction, NULL, PATIENCE_US);
}
