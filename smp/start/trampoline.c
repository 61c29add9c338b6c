/* SPDX-License-Identifier: GPL-2.0-only */
#include "smp/start/trampoline.h"

#include "kernel/io.h"
#include "kernel/paging.h"
#include "lib/assert.h"
#include "lib/page_units.h"
#include "lib/string.h"
#include "smp/start/ap.h"

enum {
	MSR_EFER = 0xc0000080,
	EFER_LMA = 1 << 10,
};

#define CR0_CACHES_OFF (3ull << 29) /* CD, NW */
#define CR4_LATER ((uint64_t)(CR4_PCIDE | CR4_PGE | CR4_MCE)) /* need 64-bit mode, paging, traps */

/* Flat, accessed (the page is mapped read-only), DPL 0 [SDM 3A 3.4.5]. */
#define DESCRIPTOR_CODE32 0x00cf9b000000ffffull
#define DESCRIPTOR_DATA32 0x00cf93000000ffffull
#define DESCRIPTOR_CODE64 0x00af9b000000ffffull

static uint32_t offset_of(const uint8_t *label)
{
	return (uint32_t)(label - trampoline_start);
}

bool trampoline_place(struct trampoline *trampoline, struct early_alloc *early)
{
	uint8_t *page;

	trampoline->pfn = early_alloc_low_page(early);
	if (trampoline->pfn == EARLY_ALLOC_NONE || !paging_map_identity(trampoline->pfn))
		return false;
	page = direct(trampoline->pfn << PAGE_SHIFT);
	memcpy(page, trampoline_start, (size_t)(trampoline_end - trampoline_start));
	trampoline->data = (struct trampoline_data *)(page + offset_of(trampoline_data));
	return true;
}

/* CR0, CR4 and EFER are to be what they are here. The trampoline's code is 32-bit: so is CR3. */
void trampoline_fill(struct trampoline *trampoline, struct percpu **blocks, uint32_t pool)
{
	struct trampoline_data *data = trampoline->data;
	uint32_t page = (uint32_t)(trampoline->pfn << PAGE_SHIFT);
	uint32_t data_physical = page + offset_of(trampoline_data);

	lab_assert(read_cr3() <= UINT32_MAX);
	data->pool = pool;
	data->cr0 = (uint32_t)(read_cr0() & ~CR0_CACHES_OFF);
	data->cr3 = (uint32_t)read_cr3();
	data->cr4 = (uint32_t)(read_cr4() & ~CR4_LATER);
	data->efer = (uint32_t)rdmsr(MSR_EFER) & ~(uint32_t)EFER_LMA;
	data->gdt[1] = DESCRIPTOR_CODE32;
	data->gdt[2] = DESCRIPTOR_DATA32;
	data->gdt[3] = DESCRIPTOR_CODE64;
	data->gdtr.limit = sizeof(data->gdt) - 1;
	data->gdtr.base = data_physical + offsetof(struct trampoline_data, gdt);
	data->protected_mode.offset = page + offset_of(trampoline_protected);
	data->protected_mode.selector = 1 * 8;
	data->long_mode.offset = page + offset_of(trampoline_long);
	data->long_mode.selector = 3 * 8;
	data->entry = (uint64_t)ap_main;
	data->blocks = blocks;
}
