/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/vector_state.h"

#include "kernel/io.h"
#include "lib/cpu.h"
#include "lib/spinlock.h"
#include "lib/xcr0.h"

enum {
	LEAF1_ECX_XSAVE = 1 << 26,
	CR0_MP = 1 << 1,
	CR0_EM = 1 << 2,
	CR0_TS = 1 << 3,
	CR4_OSFXSR = 1 << 9,
	CR4_OSXMMEXCPT = 1 << 10,
	CR4_OSXSAVE = 1 << 18,
	STATE_LEAF = 0xd,
};

static struct store_features common;
static bool common_known;
static _Atomic uint32_t common_lock;

/* AVX needs SSE, AVX-512 needs AVX and all three of its own, or XSETBV faults [SDM 1 13.3]. */
static uint64_t permitted_state(uint64_t supported)
{
	uint64_t state = XCR0_X87 | XCR0_SSE;

	if (supported & XCR0_AVX)
		state |= XCR0_AVX;
	if (supported & XCR0_AVX && (supported & XCR0_AVX512) == XCR0_AVX512)
		state |= XCR0_AVX512;
	return state;
}

/* [SDM 3A 2.5, 2.6, 14.1; CPUID leaf 0Dh] */
void vector_state_enable(void)
{
	struct store_features features;

	write_cr0((read_cr0() & ~(uint64_t)(CR0_EM | CR0_TS)) | CR0_MP);
	write_cr4(read_cr4() | CR4_OSFXSR | CR4_OSXMMEXCPT);
	if (cpuid(1, 0).ecx & LEAF1_ECX_XSAVE) {
		write_cr4(read_cr4() | CR4_OSXSAVE);
		write_xcr0(permitted_state(cpuid(STATE_LEAF, 0).eax));
	}
	store_features_read(&features);
	spin_lock(&common_lock);
	if (common_known)
		store_features_share(&common, &features);
	else
		common = features;
	common_known = true;
	spin_unlock(&common_lock);
}

void vector_state_common(struct store_features *features)
{
	spin_lock(&common_lock);
	*features = common;
	spin_unlock(&common_lock);
}
