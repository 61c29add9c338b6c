/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/nmi.h"

#include <stddef.h>

#include "kernel/io.h"
#include "smp/start/percpu.h"
#include "smp/start/roster.h"

enum {
	NMI_STATUS = 0x61,
	NMI_STATUS_IOCHK = 1 << 6,
	NMI_STATUS_SERR = 1 << 7,
	NOTHING_THERE = 0xff, /* a machine without that port */
};

const char *nmi_cause(void)
{
	uint8_t status = inb(NMI_STATUS);

	if (status == NOTHING_THERE)
		return NULL;
	if (status & NMI_STATUS_SERR)
		return "SERR: a PCI device or the memory reported a system error";
	if (status & NMI_STATUS_IOCHK)
		return "IOCHK: an ISA or LPC device reported an error";
	return NULL;
}

void nmi_count(void)
{
	atomic_fetch_add_explicit(&this_cpu()->unknown_nmis, 1, memory_order_relaxed);
}

void nmi_note(const struct topology *topology, struct anomaly_log *log)
{
	uint32_t cpus = topology ? topology->cpu_count : 1, first = cpus;
	uint64_t count = 0;

	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		struct percpu *block = roster_find(cpu);

		if (!block || !atomic_load(&block->unknown_nmis))
			continue;
		count += atomic_load(&block->unknown_nmis);
		if (first == cpus)
			first = cpu;
	}
	if (count)
		anomaly_add(log, "NMI", first,
			    "NMIs of unknown cause, so many; times may hold them", count);
}
