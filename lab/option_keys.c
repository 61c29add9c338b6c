/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/option_keys.h"

#include "lab/inject_words.h"
#include "lab/options.h"
#include "lib/format.h"
#include "lib/limits.h"
#include "lib/text.h"
#include "mm/init/plan.h"
#include "mm/init/policy.h"
#include "mm/init/store.h"
#include "mm/machine/memmap.h"
#include "mm/pcp/page_alloc.h"
#include "mm/unmap/unmap.h"

enum { SIZE_MIB_MAX = 64 << 20, GATHER_MAX = 65536, CHUNK_MIB_MAX = 65536 };

/* ---- words that stand for numbers ------------------------------------------------------------ */

struct numbered {
	struct word word;
	uint32_t value;
};

static const struct numbered page_sizes[] = {
	{ { "64", "as struct page" }, 64 },
	{ { "56", "initialised only, as all below 64" }, 56 },
	{ { "40", "" }, 40 }, { { "32", "" }, 32 }, { { "16", "" }, 16 }, { { "8", "" }, 8 },
};

/* Where PCs have had their serial ports since the first of them. */
static const struct numbered ports[] = {
	{ { "none", "no serial console" }, 0 },
	{ { "com1", "0x3f8" }, 0x3f8 }, { { "com2", "0x2f8" }, 0x2f8 },
	{ { "com3", "0x3e8" }, 0x3e8 }, { { "com4", "0x2e8" }, 0x2e8 },
};

static const struct word *page_size_at(uint32_t index)
{
	return &page_sizes[index].word;
}

static uint32_t page_size_value(uint32_t index)
{
	return page_sizes[index].value;
}

static const struct word *port_at(uint32_t index)
{
	return &ports[index].word;
}

static uint32_t port_value(uint32_t index)
{
	return ports[index].value;
}

static const struct word_list page_size_words = {
	sizeof(page_sizes) / sizeof(page_sizes[0]), page_size_at, page_size_value, NULL
};
static const struct word_list port_words = {
	sizeof(ports) / sizeof(ports[0]), port_at, port_value, NULL
};

/* ---- words of the command line alone --------------------------------------------------------- */

enum { ON, OFF, SWITCH_WORDS };

static const struct word *switch_at(uint32_t index)
{
	static const struct word words[SWITCH_WORDS] = {
		[ON] = { "on", "" },
		[OFF] = { "off", "" },
	};

	return &words[index];
}

static uint32_t switch_value(uint32_t index)
{
	return index == ON;
}

static const struct word *exit_at(uint32_t index)
{
	static const struct word words[EXIT_MODES] = {
		[EXIT_HALT] = { "halt", "the machine stands still" },
		[EXIT_REBOOT] = { "reboot", "it starts again" },
		[EXIT_QEMU] = { "qemu", "isa-debug-exit at 0xf4: QEMU's exit status is then 33 for "
				"verdict ok, 35 for fault, 37 after a panic, 39 when a part of "
				"the report is lost" },
	};

	return &words[index];
}

static const struct word_list switch_words = { SWITCH_WORDS, switch_at, switch_value, NULL };
static const struct word_list exit_words = { EXIT_MODES, exit_at, NULL, NULL };

/* ---- the keys -------------------------------------------------------------------------------- */

#define FIELD(name) .field = offsetof(struct options, name)

const struct option_key option_keys[OPTION_KEYS] = {
	{ { "run", "the experiments" }, OPTION_LIST, FIELD(experiment_chosen) },
	{ { "policy", "who initialises the memmap, how; `node` always runs, as the baseline" },
	  OPTION_LIST, FIELD(policy_chosen), .words = &policy_words, .all = true },
	{ { "pcp", "of `run=pcp`: how pages are kept per CPU" },
	  OPTION_LIST, FIELD(pcp_chosen), .words = &pcp_words, .all = true },
	{ { "free", "of `run=free`: how a large mapping is freed" },
	  OPTION_LIST, FIELD(free_chosen), .words = &free_words, .all = true },
	{ { "map", "of `run=free`: the entries that map it" },
	  OPTION_LIST, FIELD(mapping_chosen), .words = &mapping_words },
	{ { "size", "of `run=free`: how much is mapped and freed" },
	  OPTION_NUMBER, FIELD(size_mib), .min = 1, .max = SIZE_MIB_MAX, .unit = "MiB",
	  .otherwise = "three quarters of what is free" },
	{ { "gather", "of `free=batch`: pages of 510 pointers that a worker is given at once" },
	  OPTION_NUMBER, FIELD(gather), .min = 1, .max = GATHER_MAX,
	  .otherwise = "515 and 1030, the published settings; 515 with `max_active`" },
	{ { "max_active", "of `free=batch`: workers at the same time" },
	  OPTION_NUMBER, FIELD(max_active), .min = 1, .max = CPU_MAX,
	  .otherwise = "256 and 64, the published settings; 256 with `gather`" },
	{ { "fragment", "of `run=free`: how many of the mapped pages lie out of sequence" },
	  OPTION_NUMBER, FIELD(fragment), .min = 0, .max = 100, .unit = "percent" },
	{ { "threads", "workers per node, at most" },
	  OPTION_NUMBER, FIELD(threads), .min = 1, .max = CPU_MAX,
	  .otherwise = "the policy's own" },
	{ { "core_mbps", "what one core writes, in MB/s, for `policy=hmat`" },
	  OPTION_NUMBER, FIELD(core_mbps), .min = 1, .max = UINT32_MAX, .otherwise = "measured" },
	{ { "chunk", "RAM per chunk" },
	  OPTION_POWER, FIELD(chunk_mib), .min = 4, .max = CHUNK_MIB_MAX, .unit = "MiB",
	  .otherwise = "the policy's own" },
	{ { "split", "how workers come by chunks" },
	  OPTION_CHOICE, FIELD(split), .words = &split_words, .initial = "dynamic" },
	{ { "place", "whose memory holds a node's memmap" },
	  OPTION_CHOICE, FIELD(place), .words = &place_words, .initial = "local" },
	{ { "vmemmap", "the pages that map the memmap" },
	  OPTION_CHOICE, FIELD(vmemmap), .words = &vmemmap_words, .initial = "2m" },
	{ { "page_size", "bytes per descriptor" },
	  OPTION_CHOICE, FIELD(page_size), .words = &page_size_words, .initial = "64" },
	{ { "store", "the instructions that fill a struct page" },
	  OPTION_CHOICE, FIELD(store), .given = offsetof(struct options, store_given),
	  .words = &store_words, .initial = "plain" },
	{ { "repeat", "repetitions of everything that is timed" },
	  OPTION_NUMBER, FIELD(repeat), .min = 1, .max = REPEAT_MAX, .initial = "5" },
	{ { "serial", "the port that the report comes on" },
	  OPTION_PORT, FIELD(serial_port), .words = &port_words, .initial = "com1" },
	{ { "exit", "what follows the report" },
	  OPTION_CHOICE, FIELD(exit), .words = &exit_words, .initial = "halt" },
	{ { "records", "the lines for programs" },
	  OPTION_SWITCH, FIELD(records), .words = &switch_words, .initial = "on" },
	{ { "verbose", "all rows of all tables" },
	  OPTION_SWITCH, FIELD(verbose), .words = &switch_words, .alone = "on" },
	{ { "inject", "a fault on purpose, to see that the lab notices" },
	  OPTION_CHOICE, FIELD(inject), .words = &inject_words, .otherwise = "none" },
};

static const struct word *key_at(uint32_t index)
{
	return &option_keys[index].word;
}

const struct word_list option_key_words = { OPTION_KEYS, key_at, NULL, NULL };

static void allowed_number(const struct option_key *key, char text[OPTION_TEXT])
{
	format(text, OPTION_TEXT, "%s%s%s%u to %u", key->unit ? key->unit : "",
	       key->unit ? ", " : "", key->kind == OPTION_POWER ? "a power of two from " : "",
	       key->min, key->max);
}

void option_allowed(const struct option_key *key, const struct word_list *words,
		    char text[OPTION_TEXT])
{
	struct text allowed = text_in(text, OPTION_TEXT);

	switch (key->kind) {
	case OPTION_LIST:
		word_names(words, &allowed);
		text_add(&allowed, ", with commas%s", key->all ? ", or all" : "");
		break;
	case OPTION_CHOICE:
	case OPTION_SWITCH:
		word_names(words, &allowed);
		break;
	case OPTION_NUMBER:
	case OPTION_POWER:
		allowed_number(key, text);
		break;
	case OPTION_PORT:
		format(text, OPTION_TEXT, "%s, %s to %s, or a port in hex (0x2f8)",
		       words->at(0)->name, words->at(1)->name, words->at(words->count - 1)->name);
		break;
	}
}
