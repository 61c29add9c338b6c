/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * Non-maskable interrupts. Firmware, a management controller, a watchdog, the operator of a
 * hypervisor or a counter that was left running may send one; nothing says who it was, but for two
 * errors of the chipset. What has no cause is counted and reported, and the run goes on.
 */
#include "lib/anomaly.h"
#include "mm/machine/topology.h"

/* In the handler: the error of the chipset that port 61h shows, or NULL [Intel ICH and PCH
 * datasheets, NMI_SC register]. */
const char *nmi_cause(void);

/* In the handler: one more without a cause on the calling CPU. */
void nmi_count(void);

/* Notes those that have come to the CPUs of `topology` (or before there is one, NULL, to the boot
 * CPU). For the end of a run. */
void nmi_note(const struct topology *topology, struct anomaly_log *log);
