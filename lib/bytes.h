/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* Unaligned little-endian loads from bytes that somebody else laid out. */
#include <stdint.h>

static inline uint16_t load_u16(const uint8_t *p)
{
	return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

static inline uint32_t load_u32(const uint8_t *p)
{
	return (uint32_t)load_u16(p) | (uint32_t)load_u16(p + 2) << 16;
}

static inline uint64_t load_u64(const uint8_t *p)
{
	return (uint64_t)load_u32(p) | (uint64_t)load_u32(p + 4) << 32;
}
