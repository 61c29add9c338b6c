/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Frames, huge pages and sections, as in Linux on x86-64. */
#define PAGE_SHIFT 12
#define PAGE_BYTES 4096ull
#define HUGE_PAGE_BYTES (2ull << 20)
#define HUGE_PAGE_PAGES 512ull
#define SECTION_PAGES 32768ull /* 128 MiB [Linux SECTION_SIZE_BITS 27] */
#define STRUCT_PAGE_BYTES 64ull
