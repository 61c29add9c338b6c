/* SPDX-License-Identifier: GPL-2.0-only */
#include "experiments/record_types.h"

#include <stddef.h>

#include "report/alloc/free_records.h"
#include "report/alloc/pcp_records.h"
#include "report/alloc/stream_records.h"

const struct record_type *const record_types[] = {
	&pcp_sample_record,
	&stream_sample_record,
	&free_sample_record,
	&pcp_result_record,
	&stream_result_record,
	&free_result_record,
	&free_fault_record,
	NULL,
};
