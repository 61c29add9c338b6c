/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/machine_check.h"

#include <stdbool.h>
#include <stdint.h>

#include "kernel/io.h"
#include "kernel/panic.h"
#include "lib/cpu.h"
#include "lib/minmax.h"

enum {
	FEATURE_MCE = 1 << 7, /* CPUID 1 EDX [SDM 2A CPUID, APM 3 E.3] */
	FEATURE_MCA = 1 << 14,

	/* [SDM 4 table 2-2]; four registers per bank, one bank after the other. Behind the 32nd are
	 * registers of other uses. */
	MSR_MCG_CAP = 0x179,
	MSR_MCG_STATUS = 0x17a,
	MSR_MC0_STATUS = 0x401,
	MSR_MC0_ADDR = 0x402,
	MSR_MC0_MISC = 0x403,
	BANK_REGISTERS = 4,
	BANKS_MAX = 32,
	CAP_COUNT = 0xff,

	PATIENCE = 100000, /* turns of PAUSE, some milliseconds */
};

/* IA32_MCi_STATUS [SDM 3B 16.3.2.2] */
#define STATUS_VALID (1ull << 63)
#define STATUS_OVERFLOW (1ull << 62)
#define STATUS_UNCORRECTED (1ull << 61)
#define STATUS_MISC_VALID (1ull << 59)
#define STATUS_ADDRESS_VALID (1ull << 58)
#define STATUS_CONTEXT_CORRUPT (1ull << 57)

void machine_check_enable(void)
{
	if (cpuid(1, 0).edx & FEATURE_MCE)
		write_cr4(read_cr4() | CR4_MCE);
}

static bool has_banks(void)
{
	return cpuid(1, 0).edx & FEATURE_MCA;
}

static uint32_t bank_count(void)
{
	uint32_t count = has_banks() ? rdmsr(MSR_MCG_CAP) & CAP_COUNT : 0;

	return min_u32(count, BANKS_MAX);
}

static uint64_t bank_status(uint32_t bank)
{
	return rdmsr(MSR_MC0_STATUS + bank * BANK_REGISTERS);
}

static bool holds_the_error(void)
{
	const uint64_t fatal = STATUS_VALID | STATUS_UNCORRECTED;

	for (uint32_t bank = 0; bank < bank_count(); bank++)
		if ((bank_status(bank) & fatal) == fatal)
			return true;
	return false;
}

void machine_check_let_report(void)
{
	if (holds_the_error())
		return;
	for (uint32_t turn = 0; turn < PATIENCE && !panic_entered(); turn++)
		cpu_pause();
}

/* Address and miscellany exist only where the status says so: they may not be read otherwise. */
static void print_bank(const struct sink *sink, uint32_t bank, uint64_t status)
{
	sink_print(sink, "  bank %u: status %016lx: %s%s%s\n", bank, status,
		   status & STATUS_UNCORRECTED ? "uncorrected" : "corrected",
		   status & STATUS_CONTEXT_CORRUPT ? ", processor context corrupt" : "",
		   status & STATUS_OVERFLOW ? ", others were lost" : "");
	if (status & STATUS_ADDRESS_VALID)
		sink_print(sink, "    address %016lx\n",
			   rdmsr(MSR_MC0_ADDR + bank * BANK_REGISTERS));
	if (status & STATUS_MISC_VALID)
		sink_print(sink, "    misc %016lx\n", rdmsr(MSR_MC0_MISC + bank * BANK_REGISTERS));
}

void machine_check_print(const struct sink *sink)
{
	uint32_t count = bank_count(), valid = 0;

	if (!has_banks()) {
		sink_print(sink, "  this CPU tells no more of machine checks\n");
		return;
	}
	sink_print(sink, "  IA32_MCG_STATUS %016lx\n", rdmsr(MSR_MCG_STATUS));
	for (uint32_t bank = 0; bank < count; bank++) {
		uint64_t status = bank_status(bank);

		if (!(status & STATUS_VALID))
			continue;
		print_bank(sink, bank, status);
		valid++;
	}
	if (!valid)
		sink_print(sink, "  none of this CPU's %u banks holds an error\n", count);
}
