/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * The report: result structs in, tables for people and records for programs out, through one sink.
 * The records of a stage follow its tables as one block. No line of a table is wider than 100
 * columns, and none holds a byte outside printable ASCII, whatever firmware or a user wrote.
 */
#include <stdbool.h>
#include <stdint.h>

#include "lib/sink.h"
#include "mm/machine/memmap.h"
#include "report/record.h"

/* Too large for a stack: its owner is static. */
struct report {
	const struct sink *sink;
	struct record_stream records;
	bool verbose;               /* tables in full length */
	uint32_t descriptor_bytes;  /* stored per page frame: 64 for a struct page */
	enum vmemmap asked_vmemmap; /* which the machine may not have */
	uint64_t tsc_hz;            /* 0 until report_run: times are then shown as "-" */
	bool tsc_invariant;
	uint32_t cmdline_issues;    /* words that were not understood */
	uint32_t anomalies;         /* entries of the log that have been reported */
	uint32_t anomalies_dropped; /* of those the log had no room for, the same */
	uint64_t progress_start_tsc, progress_shown_tsc;
};
