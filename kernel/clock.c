/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/clock.h"

#include "kernel/io.h"
#include "kernel/paging.h"
#include "kernel/traps.h"
#include "lib/cpu.h"
#include "lib/stats.h"

enum {
	CALIBRATE_MS = 20,
	CALIBRATE_ROUNDS = 3,
	CALIBRATE_ATTEMPTS = 5,    /* a guest may lose its CPU in the middle of one */
	CALIBRATE_POLLS = 1000000, /* bound of a wait for a counter */
	STANDSTILL_POLLS = 20000,  /* no movement in that many readings: it is not there */
	OVERHEAD_ROUNDS = 1000,
};

static uint64_t tsc_hz = 1000000000; /* until clock_init has found out */

/* A counter that runs at a known rate and wraps at `mask` + 1. */
struct reference {
	uint64_t (*read)(void);
	uint64_t hz;
	uint64_t mask;
};

/* -- HPET [HPET 2.3] ------------------------------------------------------------------------ */

enum {
	/* period in femtoseconds in the upper half, bit 13: 64-bit counter */
	HPET_CAPABILITIES = 0x00,
	HPET_CONFIGURATION = 0x10,
	HPET_COUNTER = 0xf0,
	HPET_ENABLE = 1,
	HPET_COUNTER_64 = 1 << 13,
	HPET_PERIOD_MAX_FS = 100000000,
};

static volatile uint8_t *hpet;

static uint32_t hpet_read(uint32_t offset)
{
	return *(volatile uint32_t *)(hpet + offset);
}

static uint64_t hpet_counter(void)
{
	return hpet_read(HPET_COUNTER);
}

/* The counter may be there and stand still: it is started, and left running. */
static bool hpet_open(const struct hpet_facts *facts, struct reference *reference)
{
	uint32_t period;

	if (!facts || !facts->address)
		return false;
	hpet = paging_map_device(facts->address, 0x400);
	if (!hpet)
		return false;
	period = hpet_read(HPET_CAPABILITIES + 4);
	if (period == 0 || period > HPET_PERIOD_MAX_FS)
		return false;
	*(volatile uint32_t *)(hpet + HPET_CONFIGURATION) =
		hpet_read(HPET_CONFIGURATION) | HPET_ENABLE;
	*reference = (struct reference){ hpet_counter, 1000000000000000ull / period,
					 UINT32_MAX };
	return true;
}

/* -- ACPI PM timer [ACPI 6.5 4.8.3.3] -------------------------------------------------------- */

enum { PM_TIMER_HZ = 3579545 };

static uint16_t pm_timer_port;

static uint64_t pm_timer_counter(void)
{
	return inl(pm_timer_port);
}

static bool pm_timer_open(const struct fadt_facts *facts, struct reference *reference)
{
	if (!facts || !facts->pm_timer_port || facts->pm_timer_port > UINT16_MAX)
		return false;
	pm_timer_port = (uint16_t)facts->pm_timer_port;
	/* The upper eight bits are only there on some machines; the lower 24 always. */
	*reference = (struct reference){ pm_timer_counter, PM_TIMER_HZ, 0xffffff };
	return true;
}

/* -- PIT, channel 2 [Intel 8254] -------------------------------------------------------------- */

enum {
	PIT_HZ = 1193182,
	PIT_CHANNEL_2 = 0x42,
	PIT_COMMAND = 0x43,
	PIT_CHANNEL_2_MODE_0 = 0xb0,
	PIT_CHANNEL_2_LATCH = 0x80,
	PIT_GATE_PORT = 0x61, /* bit 0: gate of channel 2, bit 1: speaker */
};

/* The counter runs down from 0xffff; it is read as running up. */
static uint64_t pit_counter(void)
{
	uint16_t count;

	outb(PIT_COMMAND, PIT_CHANNEL_2_LATCH);
	count = inb(PIT_CHANNEL_2);
	count = (uint16_t)(count | inb(PIT_CHANNEL_2) << 8);
	return 0xffffu - count;
}

static bool pit_open(struct reference *reference)
{
	outb(PIT_GATE_PORT, (uint8_t)((inb(PIT_GATE_PORT) & ~2u) | 1u));
	outb(PIT_COMMAND, PIT_CHANNEL_2_MODE_0);
	outb(PIT_CHANNEL_2, 0xff);
	outb(PIT_CHANNEL_2, 0xff);
	*reference = (struct reference){ pit_counter, PIT_HZ, 0xffff };
	return true;
}

/* -- Measuring the TSC against one of them ---------------------------------------------------- */

struct stamp {
	uint64_t tsc, counter;
};

/* A reading of both at about the same time: of several the one that took least, as an interruption
 * (SMI, another guest) between the two would falsify it. */
static struct stamp stamp_take(const struct reference *reference)
{
	struct stamp best = { 0, 0 };
	uint64_t shortest = UINT64_MAX;

	for (uint32_t i = 0; i < 8; i++) {
		uint64_t before = tsc_ordered();
		uint64_t counter = reference->read();
		uint64_t took = tsc_ordered() - before;

		if (took < shortest) {
			shortest = took;
			best = (struct stamp){ before + took / 2, counter };
		}
	}
	return best;
}

/* One measurement over CALIBRATE_MS; 0 when the counter does not move. */
static uint64_t measure_once(const struct reference *reference)
{
	uint64_t ticks = reference->hz * CALIBRATE_MS / 1000;
	struct stamp start = stamp_take(reference), end;
	uint64_t passed = 0;

	for (uint32_t poll = 0, moved = 0; passed < ticks; poll++) {
		uint64_t now = (reference->read() - start.counter) & reference->mask;

		/* A counter that runs backwards or reads all ones is none. */
		if (poll == CALIBRATE_POLLS || poll - moved == STANDSTILL_POLLS || now < passed)
			return 0;
		if (now != passed)
			moved = poll;
		passed = now;
	}
	end = stamp_take(reference);
	passed = (end.counter - start.counter) & reference->mask;
	return passed < ticks ? 0 : mul_div_u64(end.tsc - start.tsc, reference->hz, passed);
}

/* The median of CALIBRATE_ROUNDS good measurements, 0 when there were fewer. */
static uint64_t measure(const struct reference *reference)
{
	uint64_t hz[CALIBRATE_ROUNDS];
	uint32_t good = 0;

	for (uint32_t i = 0; i < CALIBRATE_ATTEMPTS && good < CALIBRATE_ROUNDS; i++) {
		hz[good] = measure_once(reference);
		if (tsc_plausible(hz[good]))
			good++;
	}
	return good == CALIBRATE_ROUNDS ? stats_summary(hz, CALIBRATE_ROUNDS).median : 0;
}

/* -- Which of them is believed ---------------------------------------------------------------- */

struct timer_tables {
	const struct hpet_facts *hpet;
	const struct fadt_facts *fadt;
};

static uint64_t measure_by(void *context, enum tsc_source source)
{
	const struct timer_tables *tables = context;
	struct reference reference;
	bool there = false;

	if (source == TSC_FROM_HPET)
		there = hpet_open(tables->hpet, &reference);
	if (source == TSC_FROM_PM_TIMER)
		there = pm_timer_open(tables->fadt, &reference);
	if (source == TSC_FROM_PIT)
		there = pit_open(&reference);
	return there ? measure(&reference) : 0;
}

static struct tsc_frequency find_frequency(const struct hpet_facts *hpet_table,
					   const struct fadt_facts *fadt, struct anomaly_log *log)
{
	struct timer_tables tables = { hpet_table, fadt };
	uint64_t stated[TSC_SOURCES];

	for (uint32_t source = 0; source < TSC_SOURCES; source++)
		stated[source] = tsc_stated_hz(source, cpuid_here, NULL, rdmsr_safe);
	return tsc_choose(stated, measure_by, &tables, log);
}

static uint64_t measure_overhead(void)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < OVERHEAD_ROUNDS; i++) {
		uint64_t start = tsc_ordered();
		uint64_t took = tsc_ordered() - start;

		if (took < least)
			least = took;
	}
	return least;
}

struct clock_facts clock_init(const struct hpet_facts *hpet_table, const struct fadt_facts *fadt,
			      struct anomaly_log *log)
{
	struct tsc_frequency frequency = find_frequency(hpet_table, fadt, log);
	struct clock_facts facts = { .tsc_hz = frequency.hz, .source = frequency.source };

	tsc_hz = facts.tsc_hz;
	facts.invariant = cpuid(0x80000000, 0).eax >= 0x80000007 &&
			  (cpuid(0x80000007, 0).edx & 1u << 8) != 0;
	facts.overhead_cycles = measure_overhead();
	return facts;
}

uint64_t clock_cycles_us(uint64_t microseconds)
{
	return mul_div_u64(microseconds, tsc_hz, 1000000);
}

uint64_t clock_deadline_us(uint64_t microseconds)
{
	return tsc_ordered() + clock_cycles_us(microseconds);
}

void clock_delay_us(uint64_t microseconds)
{
	uint64_t deadline = clock_deadline_us(microseconds);

	while (tsc_ordered() < deadline)
		cpu_pause();
}
