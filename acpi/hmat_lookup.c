/* SPDX-License-Identifier: GPL-2.0-only */
#include "acpi/hmat_lookup.h"

#include "acpi/hmat.h"
#include "lib/bytes.h"

enum { ENTRY_NOT_PROVIDED = 0, ENTRY_UNREACHABLE = 0xffff }; /* [ACPI 6.5 5.2.27.4] */

/* Index of `pxm` in a list of u32, or `count`. */
static uint32_t find_pxm(const uint8_t *pxms, uint32_t count, uint32_t pxm)
{
	uint32_t i = 0;

	while (i < count && load_u32(pxms + 4 * i) != pxm)
		i++;
	return i;
}

static uint16_t matrix_entry(const struct hmat_matrix *matrix, uint32_t initiator_pxm,
			     uint32_t target_pxm)
{
	uint32_t row = find_pxm(matrix->initiator_pxms, matrix->initiators, initiator_pxm);
	uint32_t column;

	if (row == matrix->initiators)
		return ENTRY_NOT_PROVIDED;
	column = find_pxm(matrix->target_pxms, matrix->targets, target_pxm);
	if (column == matrix->targets)
		return ENTRY_NOT_PROVIDED;
	return load_u16(matrix->entries + 2 * ((uint64_t)row * matrix->targets + column));
}

static bool is_latency(enum hmat_data data)
{
	return data <= HMAT_WRITE_LATENCY;
}

/* An entry in nanoseconds or MB/s, 0 for no data. Entry x base that does not fit 32 bits is no
 * data, as in Linux: 4 ms or 4 PB/s are no memory [Linux drivers/acpi/numa/hmat.c]. */
static uint32_t normalise(const struct hmat_matrix *matrix, uint8_t revision, uint16_t entry)
{
	uint64_t value;

	if (entry == ENTRY_NOT_PROVIDED || entry == ENTRY_UNREACHABLE)
		return 0;
	if (matrix->base_unit > UINT32_MAX / entry)
		return 0;
	value = matrix->base_unit * entry;
	if (revision == 1)
		return value < 10 ? 0 : (uint32_t)((value + 9) / 10);
	return is_latency(matrix->data) ? (uint32_t)((value + 999) / 1000) : (uint32_t)value;
}

/* The first figure that any matrix of this kind has for the pair: tables may split one kind over
 * several structures. */
static uint32_t figure(const struct hmat_facts *facts, enum hmat_data data, uint32_t initiator_pxm,
		       uint32_t target_pxm)
{
	for (uint32_t i = 0; i < facts->matrix_count; i++) {
		const struct hmat_matrix *matrix = &facts->matrices[i];
		uint32_t value;

		if (matrix->data != data)
			continue;
		value = normalise(matrix, facts->revision,
				  matrix_entry(matrix, initiator_pxm, target_pxm));
		if (value != 0)
			return value;
	}
	return 0;
}

struct hmat_pair hmat_lookup(const struct hmat_facts *facts, uint32_t initiator_pxm,
			     uint32_t target_pxm)
{
	uint32_t value[HMAT_DATA_TYPES];

	for (uint32_t data = 0; data < HMAT_DATA_TYPES; data++)
		value[data] = figure(facts, (enum hmat_data)data, initiator_pxm, target_pxm);
	return (struct hmat_pair){
		.read_latency_ns = value[HMAT_READ_LATENCY] ? value[HMAT_READ_LATENCY]
							    : value[HMAT_ACCESS_LATENCY],
		.write_latency_ns = value[HMAT_WRITE_LATENCY] ? value[HMAT_WRITE_LATENCY]
							      : value[HMAT_ACCESS_LATENCY],
		.read_mbps = value[HMAT_READ_BANDWIDTH] ? value[HMAT_READ_BANDWIDTH]
							: value[HMAT_ACCESS_BANDWIDTH],
		.write_mbps = value[HMAT_WRITE_BANDWIDTH] ? value[HMAT_WRITE_BANDWIDTH]
							  : value[HMAT_ACCESS_BANDWIDTH],
	};
}

bool hmat_pair_known(const struct hmat_pair *pair)
{
	return pair->read_latency_ns || pair->write_latency_ns || pair->read_mbps ||
	       pair->write_mbps;
}
