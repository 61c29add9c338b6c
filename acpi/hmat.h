/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "acpi/tables.h"
#include "lib/anomaly.h"

enum { HMAT_MATRIX_MAX = 64, HMAT_PROXIMITY_MAX = 512 };

/* What one pair has, both directions of use; 0: not provided or unreachable. */
struct hmat_pair {
	uint32_t read_latency_ns, write_latency_ns;
	/* MB/s as the table has them; 10^6 bytes in the specification */
	uint32_t read_mbps, write_mbps;
};

enum hmat_data {
	HMAT_ACCESS_LATENCY,
	HMAT_READ_LATENCY,
	HMAT_WRITE_LATENCY,
	HMAT_ACCESS_BANDWIDTH,
	HMAT_READ_BANDWIDTH,
	HMAT_WRITE_BANDWIDTH,
	HMAT_DATA_TYPES
};

struct hmat_matrix { /* one type-1 structure of hierarchy "memory"; all pointers inside the table */
	enum hmat_data data;
	uint64_t base_unit;
	uint32_t initiators, targets;
	const uint8_t *initiator_pxms, *target_pxms, *entries; /* u32, u32, u16; row = initiator */
};

struct hmat_proximity {
	uint32_t memory_pxm;
	uint32_t initiator_pxm; /* PXM_NONE where the flag is clear */
};

struct hmat_facts {
	uint8_t revision; /* 1 or 2 (later ones are read as 2) */
	struct hmat_matrix matrices[HMAT_MATRIX_MAX];
	uint32_t matrix_count;
	struct hmat_proximity proximity[HMAT_PROXIMITY_MAX];
	uint32_t proximity_count;
	uint32_t other_entries; /* side caches, their matrices, and unknown types: not used */
};

/* [ACPI 6.2 and 6.5 5.2.27]. `facts` is zeroed first; false when absent or unusable. A matrix of
 * more than NODE_MAX initiators or targets is left out with an anomaly, like every other damaged
 * one. */
bool hmat_parse(const struct acpi_table *table, struct hmat_facts *facts, struct anomaly_log *log);
