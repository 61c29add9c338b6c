/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
/*
 * memmap-inspect: what the kernel would make of a machine, from its ACPI tables and its memory map,
 * read on a host before the machine is rebooted.
 */
#include <argp.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tools/inspect/e820_folder.h"
#include "tools/inspect/e820_text.h"
#include "tools/inspect/e820_words.h"
#include "tools/inspect/inspection.h"
#include "tools/inspect/load.h"
#include "tools/inspect/policies.h"
#include "tools/inspect/print_json.h"
#include "tools/inspect/print_text.h"

enum { EXIT_NO_MACHINE = 2 };
enum { ADDRESS_BITS_MIN = 32, ADDRESS_BITS_MAX = 52 }; /* [SDM 3A 4.1.4] */
enum { THREADS_MAX = 8, CORE_MBPS_MAX = 1000000, PAGE_NS_MAX = 1000000 };

struct arguments {
	const char *tables;
	const char *e820;
	bool json;
	enum policy policy;
	struct given given;
};

/* Ends the program where `value` is no number from `least` to `most`. */
static uint32_t take_number(const char *option, const char *value, uint32_t least, uint32_t most,
			    struct argp_state *state)
{
	uint64_t number;
	const char *end = e820_number(value, 10, most, &number);

	if (!end || *end || number < least)
		argp_error(state, "--%s goes from %u to %u", option, least, most);
	return (uint32_t)number;
}

/* Nanoseconds with at most three decimals, as picoseconds; 0: it is no such number. */
static uint64_t picoseconds(const char *value)
{
	uint64_t whole, thousandths = 0;
	const char *at = e820_number(value, 10, PAGE_NS_MAX, &whole);

	if (at && *at == '.') {
		const char *digits = at + 1;

		at = e820_number(digits, 10, 999, &thousandths);
		if (!at || at - digits > 3)
			return 0;
		for (long left = 3 - (at - digits); left > 0; left--)
			thousandths *= 10;
	}
	return at && !*at ? 1000 * whole + thousandths : 0;
}

static error_t take_option(int key, char *value, struct argp_state *state)
{
	struct arguments *arguments = state->input;
	uint32_t policy, threads;

	switch (key) {
	case 't':
		arguments->tables = value;
		return 0;
	case 'e':
		arguments->e820 = value;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case 'p':
		if (!word_find(&policy_words, value, &policy))
			argp_error(state, "no policy is called %s", value);
		arguments->policy = policy;
		return 0;
	case 'b':
		arguments->given.address_bits = take_number("address-bits", value, ADDRESS_BITS_MIN,
							    ADDRESS_BITS_MAX, state);
		return 0;
	case 'c':
		threads = take_number("threads-per-core", value, 1, THREADS_MAX, state);
		if (threads & (threads - 1))
			argp_error(state, "--threads-per-core is a power of two");
		arguments->given.threads_per_core = threads;
		return 0;
	case 'm':
		arguments->given.core_mbps = take_number("core-mbps", value, 1, CORE_MBPS_MAX,
							 state);
		return 0;
	case 'n':
		arguments->given.page_ps = picoseconds(value);
		if (!arguments->given.page_ps)
			argp_error(state, "--ns-per-page goes from 0.001 to %d, with at most "
				   "three decimals", PAGE_NS_MAX);
		return 0;
	case ARGP_KEY_END:
		if (!arguments->tables)
			argp_error(state, "--tables PATH is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static struct arguments parse_arguments(int count, char **words)
{
	static const struct argp_option options[] = {
		{ "tables", 't', "PATH", 0,
		  "ACPI tables: the folder /sys/firmware/acpi/tables, or what acpidump wrote, "
		  "binary (-b) or text, a folder or a file; any file names", 0 },
		{ "e820", 'e', "PATH", 0,
		  "Memory map: dmesg, /proc/iomem, the folder /sys/firmware/memmap, or lines "
		  "\"start-end type\", end inclusive; without it the ranges of the SRAT stand in "
		  "for RAM", 0 },
		{ "policy", 'p', "NAME", 0,
		  "Policy to plan in full: serial, node, ktask, padata (without this option), "
		  "zone, lazy or async; cores with --threads-per-core, hmat with --core-mbps as "
		  "well",
		  0 },
		{ "address-bits", 'b', "N", 0,
		  "Width of the CPUs' physical addresses (/proc/cpuinfo): RAM beyond it is left "
		  "out, as by the kernel", 0 },
		{ "threads-per-core", 'c', "N", 0,
		  "CPUs of each core, for policies cores and hmat: APIC ids that differ in their "
		  "low bits only are one core", 0 },
		{ "core-mbps", 'm', "N", 0,
		  "What one core writes, in MB/s, for policy hmat: as core_mbps= of the kernel",
		  0 },
		{ "ns-per-page", 'n', "NS", 0,
		  "What a struct page takes one worker, as a report of such a machine has it for "
		  "policy node: the least time of each policy is told", 0 },
		{ "json", 'j', NULL, 0, "Print one JSON object instead of tables", 0 },
		{ 0 }
	};
	static const struct argp parser = {
		.options = options, .parser = take_option,
		.doc = "Shows the nodes, CPUs and RAM that the memmap-lab kernel would find on a "
		       "machine, and how it would initialise the memmap.\v"
		       "Exit status: 0 when a machine could be made out, with or without "
		       "anomalies; 2 when not.",
	};
	struct arguments arguments = { .policy = POLICY_PADATA,
				       .given.address_bits = ADDRESS_BITS_MAX };

	program_invocation_name = program_invocation_short_name; /* what error() prints */
	argp_err_exit_status = EXIT_NO_MACHINE;
	argp_parse(&parser, count, words, 0, NULL, &arguments);
	return arguments;
}

/* Ends the program when the map is not as it should be: half a map would give a wrong plan. */
static struct memory_input read_map(const char *path)
{
	static struct boot_memory entries[BOOT_MEMORY_MAX];
	struct memory_input memory = { entries, 0 };
	struct stat status;
	char reason[160];
	FILE *file;
	bool good;

	if (!path)
		return (struct memory_input){ NULL, 0 };
	file = fopen(path, "r");
	if (!file || fstat(fileno(file), &status) != 0)
		error(EXIT_NO_MACHINE, errno, "memory map %s", path);
	if (S_ISDIR(status.st_mode))
		good = e820_folder_parse(path, entries, BOOT_MEMORY_MAX, &memory.count, reason,
					 sizeof(reason));
	else
		good = e820_text_parse(file, entries, BOOT_MEMORY_MAX, &memory.count, reason,
				       sizeof(reason));
	if (!good)
		error(EXIT_NO_MACHINE, 0, "memory map %s: %s", path, reason);
	fclose(file);
	return memory;
}

int main(int count, char **words)
{
	static struct inspection inspection;
	static struct table_folder folder;
	const struct arguments arguments = parse_arguments(count, words);
	const struct memory_input memory = read_map(arguments.e820);
	const char *unplanned;
	bool written = true;

	inspection.policy = arguments.policy;
	inspection.given = arguments.given;
	if (!load_tables(arguments.tables, &folder, &inspection.machine.log))
		return EXIT_NO_MACHINE;
	if (!inspect(&inspection, &folder.tables, &memory)) {
		print_anomalies(stderr, &inspection.machine.log, &folder);
		if (memory.entries)
			error(EXIT_NO_MACHINE, 0, "memory map %s: no RAM in %u entries",
			      arguments.e820, memory.count);
		error(EXIT_NO_MACHINE, 0, "%s: no CPU, no RAM and no proximity domain: no machine "
		      "can be made out", arguments.tables);
	}
	unplanned = policy_unplanned(&inspection, arguments.policy);
	if (unplanned)
		error(EXIT_NO_MACHINE, 0, "policy %s: %s", policy_name(arguments.policy),
		      unplanned);
	if (arguments.json)
		written = print_json(&inspection, &folder);
	else
		print_text(&inspection, &folder);
	if (!written || fflush(stdout) != 0 || ferror(stdout))
		error(EXIT_NO_MACHINE, errno, "the answer cannot be written");
	inspection_free(&inspection);
	unload_folder(&folder);
	return 0;
}
