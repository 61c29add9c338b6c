/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdint.h>

/* Sum of all bytes modulo 256: 0 for a table or RSDP that is whole [ACPI 6.5 5.2.6]. */
static inline uint8_t acpi_sum(const uint8_t *bytes, uint32_t length)
{
	uint8_t sum = 0;

	for (uint32_t i = 0; i < length; i++)
		sum = (uint8_t)(sum + bytes[i]);
	return sum;
}
