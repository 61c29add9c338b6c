/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* How the other CPUs were started. */
#include <stdbool.h>
#include <stdint.h>

struct bringup_facts {
	bool x2apic;
	uint32_t started, arrived; /* without the boot CPU: asked to start, and came */
	uint64_t cycles;           /* from the first INIT to the last arrival or to giving up */
};
