/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The steps of topology_join, in the order in which they run; each relies on those before it. */
#include "mm/machine/topology.h"

/* Notes of one kind in the anomaly log; a table that is wrong throughout must not fill it. */
enum { NOTES_PER_KIND = 8 };
