/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the calling CPU caches: the registers behind mm/machine/mtrr.h. */
#include "lib/anomaly.h"
#include "mm/machine/mtrr.h"
#include "mm/machine/topology.h"
#include "smp/start/percpu.h"

/* Reads the MTRRs. Any CPU, once its traps are loaded. */
void caching_read(struct mtrr_state *state);

/* Page attributes as after a reset: what this kernel maps as RAM is write-back where the MTRRs
 * allow it, whatever firmware or loader have chosen [SDM 3A 11.12.4]. Any CPU, before it uses page
 * tables of this kernel's own that say otherwise. */
void caching_reset_attributes(void);

/* Boot CPU, before the others start: what they compare theirs with. Both stay where they are. */
void caching_expect(const struct mtrr_state *boot, const struct memory_map *map);

/* Another CPU: notes in its block how its MTRRs are. */
void caching_compare(struct percpu *block);

/* Boot CPU, once the others have come: names those whose MTRRs are others, the first few, and RAM
 * that they do not cache. */
void caching_note(const struct topology *topology, struct anomaly_log *log);
