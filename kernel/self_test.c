#include "kernel/self_test.h"

#include <stdint.h>

/* Eats stack until it reaches the guard page; not a tail call, since the result is used. */
static __attribute__((noinline)) uint64_t overflow(volatile uint64_t depth)
{
	volatile uint64_t room[32];

	room[depth % 32] = depth;
	return depth == UINT64_MAX ? 0 : overflow(depth + 1) + room[depth % 32];
}

void self_test(const struct options *options)
{
	if (options->inject == INJECT_UD)
		__asm__ volatile("ud2");
	if (options->inject == INJECT_STACK)
		overflow(0);
}
