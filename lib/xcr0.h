/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* XCR0: the registers that the operating system saves, and so lets programs use [SDM 1 13.1]. */
enum {
	XCR0_X87 = 1 << 0,
	XCR0_SSE = 1 << 1,
	XCR0_AVX = 1 << 2,
	XCR0_AVX512 = 7 << 5, /* opmask, ZMM_Hi256, Hi16_ZMM */
};
