/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
#include "acpi/hmat.h"

/* The figures for initiator -> target. A read or write matrix goes before an access matrix for its
 * own direction; entries 0 and 0xffff are "no data". Units per revision: revision 1 value =
 * ceil(entry x base / 10) for latency (ns) and bandwidth (MB/s) alike, below 10 dropped; revision 2
 * latency in ps, rounded up to ns, bandwidth entry x base in MB/s. Overflow is "no data". */
struct hmat_pair hmat_lookup(const struct hmat_facts *facts, uint32_t initiator_pxm,
			     uint32_t target_pxm);

/* Whether any figure of the pair is known. */
bool hmat_pair_known(const struct hmat_pair *pair);
