/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* An HMAT as it is built, parsed. */
#include "tests/host/hmat_build.h"

static struct hmat_facts hmat;
static struct anomaly_log notes;
static struct acpi_table table; /* of the last parse; the facts point into it */

static bool parse_hmat(struct build *b)
{
	build_close(b);
	exact_free(&table);
	table = build_exact(b);
	notes = (struct anomaly_log){ 0 };
	memset(&hmat, 0xa5, sizeof(hmat));
	return hmat_parse(&table, &hmat, &notes);
}

static int free_hmat(void **state)
{
	(void)state;
	exact_free(&table);
	return 0;
}
