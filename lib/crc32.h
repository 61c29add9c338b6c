/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* CRC-32 (IEEE 802.3, reflected 0xEDB88320, as zlib's): crc32_update(0, bytes, length). */
uint32_t crc32_update(uint32_t crc, const void *bytes, size_t length);
