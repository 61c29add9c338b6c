/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Unprivileged instructions, the same in the kernel and on the host. */
#include <stdint.h>

static inline void cpu_pause(void)
{
	__asm__ volatile("pause" ::: "memory");
}

/* Asks for the cache line at an address, any address; nothing happens where there is none
 * [SDM 2B PREFETCHh]. */
static inline void cpu_prefetch(const void *address)
{
	__asm__ volatile("prefetcht0 (%0)" : : "r"(address));
}

/* The time stamp counter, after all earlier loads and before all later instructions
 * [SDM 3B 18.17, SDM 2B RDTSC: LFENCE on both sides]. */
static inline uint64_t tsc_ordered(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

struct cpuid_result {
	uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid_result cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_result r;

	__asm__ volatile("cpuid"
			 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "a"(leaf), "c"(subleaf));
	return r;
}

/* The same of the CPU that runs this, as a function that decoders are handed. */
static inline struct cpuid_result cpuid_here(void *context, uint32_t leaf, uint32_t subleaf)
{
	(void)context;
	return cpuid(leaf, subleaf);
}
