/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/options.h"

#include <stddef.h>

#include "boot/cmdline_words.h"
#include "lib/limits.h"
#include "lib/string.h"

enum { LIST_MAX = 16, SIZE_MIB_MAX = 64 << 20, GATHER_MAX = 65536 };

struct name_value {
	const char *name;
	uint32_t value;
};

struct key {
	const char *name;
	const char *allowed; /* values, as a person is told them */
	bool (*parse)(const struct key *key, const char *value, struct options *options);
	size_t field;        /* offset in struct options */
	const struct name_value *names;
	uint32_t min, max;
};

enum { ALL_NAMES = UINT16_MAX };

static const struct name_value experiment_names[] = {
	{ "init", EXPERIMENT_INIT }, { "sweep", EXPERIMENT_SWEEP },
	{ "bandwidth", EXPERIMENT_BANDWIDTH },
	{ "pcp", EXPERIMENT_PCP }, { "free", EXPERIMENT_FREE }, { 0 },
};
static const struct name_value policy_names[] = {
	{ "serial", POLICY_SERIAL }, { "node", POLICY_NODE }, { "ktask", POLICY_KTASK },
	{ "padata", POLICY_PADATA }, { "zone", POLICY_ZONE }, { "lazy", POLICY_LAZY },
	{ "async", POLICY_ASYNC },   { "cores", POLICY_CORES }, { "hmat", POLICY_HMAT },
	{ "calibrated", POLICY_CALIBRATED }, { "auto", POLICY_AUTO }, { "all", ALL_NAMES }, { 0 },
};
static const struct name_value pcp_names[] = {
	{ "none", PCP_NONE }, { "order0", PCP_ORDER0 }, { "high", PCP_HIGH },
	{ "merged", PCP_MERGED }, { "trylock", PCP_TRYLOCK }, { "owned", PCP_OWNED },
	{ "all", ALL_NAMES }, { 0 },
};
static const struct name_value free_names[] = {
	{ "vanilla", FREE_VANILLA }, { "batch", FREE_BATCH }, { "pieces", FREE_PIECES },
	{ "owned", FREE_OWNED }, { "all", ALL_NAMES }, { 0 },
};
static const struct name_value mapping_names[] = {
	{ "4k", MAPPING_4K }, { "2m", MAPPING_2M }, { 0 },
};
static const struct name_value split_names[] = {
	{ "dynamic", SPLIT_DYNAMIC }, { "static", SPLIT_STATIC }, { 0 },
};
static const struct name_value place_names[] = {
	{ "local", PLACE_LOCAL }, { "remote", PLACE_REMOTE }, { "interleave", PLACE_INTERLEAVE },
	{ 0 },
};
static const struct name_value vmemmap_names[] = {
	{ "4k", VMEMMAP_4K }, { "2m", VMEMMAP_2M }, { "1g", VMEMMAP_1G }, { 0 },
};
static const struct name_value page_size_names[] = {
	{ "64", 64 }, { "56", 56 }, { "40", 40 }, { "32", 32 }, { "16", 16 }, { "8", 8 }, { 0 },
};
static const struct name_value store_names[] = {
	{ "plain", STORE_PLAIN }, { "linux", STORE_LINUX },
	{ "template", STORE_TEMPLATE }, { "stosq", STORE_STOSQ },
	{ "nti", STORE_NTI }, { "nt128", STORE_NT128 },
	{ "nt256", STORE_NT256 }, { "nt512", STORE_NT512 },
	{ "v256", STORE_V256 }, { "v512", STORE_V512 },
	{ "movdir64b", STORE_MOVDIR64B }, { "clzero", STORE_CLZERO },
	{ "auto", STORE_AUTO }, { 0 },
};
static const struct name_value switch_names[] = { { "off", 0 }, { "on", 1 }, { 0 } };
static const struct name_value exit_names[] = {
	{ "halt", EXIT_HALT }, { "reboot", EXIT_REBOOT }, { "qemu", EXIT_QEMU }, { 0 },
};
static const struct name_value inject_names[] = {
	{ "page", INJECT_PAGE },
	{ "chunk", INJECT_CHUNK },
	{ "ud", INJECT_UD },
	{ "stack", INJECT_STACK },
	{ "cpu", INJECT_CPU },
	{ "cpu-ud", INJECT_CPU_UD },
	{ "print", INJECT_PRINT },
	{ "double-free", INJECT_DOUBLE_FREE },
	{ "free-reserved", INJECT_FREE_RESERVED },
	{ "free-order", INJECT_FREE_ORDER },
	{ 0 },
};
/* Where PCs have had their serial ports since the first of them. */
static const struct name_value serial_names[] = {
	{ "none", 0 },	   { "com1", 0x3f8 }, { "com2", 0x2f8 },
	{ "com3", 0x3e8 }, { "com4", 0x2e8 }, { 0 },
};

static bool parse_name(const char *text, const struct name_value *names, uint32_t *value)
{
	for (; names->name; names++) {
		if (string_equal(text, names->name)) {
			*value = names->value;
			return true;
		}
	}
	return false;
}

/* ---- what a key's value may be ---------------------------------------------------------- */

static void *field_of(const struct key *key, struct options *options)
{
	return (char *)options + key->field;
}

/* One name, for an enum or a number. */
static bool parse_choice(const struct key *key, const char *value, struct options *options)
{
	uint32_t number;

	if (!parse_name(value, key->names, &number))
		return false;
	memcpy(field_of(key, options), &number, sizeof(number));
	return true;
}

/* Whether it was given matters as well. */
static bool parse_store(const struct key *key, const char *value, struct options *options)
{
	bool right = parse_choice(key, value, options);

	options->store_given |= right;
	return right;
}

static bool parse_switch(const struct key *key, const char *value, struct options *options)
{
	uint32_t on;

	if (!parse_name(value, switch_names, &on))
		return false;
	*(bool *)field_of(key, options) = on;
	return true;
}

static bool parse_range(const struct key *key, const char *value, struct options *options)
{
	uint32_t number;

	if (!cmdline_number(value, 10, key->min, key->max, &number))
		return false;
	*(uint32_t *)field_of(key, options) = number;
	return true;
}

static bool parse_power(const struct key *key, const char *value, struct options *options)
{
	uint32_t number;

	if (!cmdline_number(value, 10, key->min, key->max, &number) || number & (number - 1))
		return false;
	*(uint32_t *)field_of(key, options) = number;
	return true;
}

/* Names with commas between them, for an array of key->max bools. */
static bool parse_list(const struct key *key, const char *value, struct options *options)
{
	bool chosen[LIST_MAX] = { false };
	char item[WORD_MAX + 1];
	uint32_t number;

	for (;; value++) {
		size_t length = 0;

		while (value[length] && value[length] != ',')
			length++;
		string_copy(item, value, length + 1);
		if (!parse_name(item, key->names, &number))
			return false;
		for (uint32_t i = 0; i < key->max; i++)
			chosen[i] |= number == i || number == ALL_NAMES;
		value += length;
		if (!*value)
			break;
	}
	memcpy(field_of(key, options), chosen, key->max * sizeof(chosen[0]));
	return true;
}

static bool parse_serial(const struct key *key, const char *value, struct options *options)
{
	uint32_t port;
	bool prefixed = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
	const char *digits = prefixed ? value + 2 : value;

	/* A 16550 has eight registers: the last base that leaves room for them is 0xfff8. */
	if (!parse_name(value, key->names, &port) && !cmdline_number(digits, 16, 1, 0xfff8, &port))
		return false;
	options->serial_port = (uint16_t)port;
	return true;
}

#define FIELD(name) offsetof(struct options, name)
/* parse_choice writes these as numbers of 32 bits */
_Static_assert(sizeof(enum split) == 4 && sizeof(enum place) == 4 && sizeof(enum vmemmap) == 4 &&
	       sizeof(enum store) == 4 && sizeof(enum exit_mode) == 4 && sizeof(enum inject) == 4,
	       "enums are 32 bits wide");
_Static_assert((int)POLICY_COUNT <= (int)LIST_MAX && (int)EXPERIMENT_COUNT <= (int)LIST_MAX &&
	       (int)PCP_COUNT <= (int)LIST_MAX && (int)FREE_COUNT <= (int)LIST_MAX &&
	       (int)MAPPING_COUNT <= (int)LIST_MAX, "lists fit");

static const struct key keys[] = {
	{ "run", "init, sweep, bandwidth, pcp, free, with commas", parse_list,
	  FIELD(experiment_chosen), experiment_names, 0, EXPERIMENT_COUNT },
	{ "policy", "serial, node, ktask, padata, zone, lazy, async, cores, hmat, calibrated, "
	  "auto, with commas, or all",
	  parse_list, FIELD(policy_chosen), policy_names, 0, POLICY_COUNT },
	{ "pcp", "none, order0, high, merged, trylock, owned, with commas, or all", parse_list,
	  FIELD(pcp_chosen), pcp_names, 0, PCP_COUNT },
	{ "free", "vanilla, batch, pieces, owned, with commas, or all", parse_list,
	  FIELD(free_chosen), free_names, 0, FREE_COUNT },
	{ "map", "4k, 2m, with commas", parse_list, FIELD(mapping_chosen), mapping_names, 0,
	  MAPPING_COUNT },
	{ "size", "MiB, 1 to 67108864", parse_range, FIELD(size_mib), NULL, 1, SIZE_MIB_MAX },
	{ "gather", "1 to 65536", parse_range, FIELD(gather), NULL, 1, GATHER_MAX },
	{ "max_active", "1 to 4096", parse_range, FIELD(max_active), NULL, 1, CPU_MAX },
	{ "fragment", "percent, 0 to 100", parse_range, FIELD(fragment), NULL, 0, 100 },
	{ "threads", "1 to 4096", parse_range, FIELD(threads), NULL, 1, CPU_MAX },
	{ "core_mbps", "1 to 4294967295", parse_range, FIELD(core_mbps), NULL, 1, UINT32_MAX },
	{ "chunk", "MiB, a power of two from 4 to 65536", parse_power, FIELD(chunk_mib), NULL, 4,
	  65536 },
	{ "split", "dynamic, static", parse_choice, FIELD(split), split_names, 0, 0 },
	{ "place", "local, remote, interleave", parse_choice, FIELD(place), place_names, 0, 0 },
	{ "vmemmap", "4k, 2m, 1g", parse_choice, FIELD(vmemmap), vmemmap_names, 0, 0 },
	{ "page_size", "64, 56, 40, 32, 16, 8", parse_choice, FIELD(page_size), page_size_names,
	  0, 0 },
	{ "store", "plain, linux, template, stosq, nti, nt128, nt256, nt512, v256, v512, "
	  "movdir64b, clzero, auto", parse_store, FIELD(store), store_names, 0, 0 },
	{ "repeat", "1 to 100", parse_range, FIELD(repeat), NULL, 1, REPEAT_MAX },
	{ "serial", "none, com1 to com4, or a port in hex (0x2f8)", parse_serial, 0, serial_names,
	  0, 0 },
	{ "exit", "halt, reboot, qemu", parse_choice, FIELD(exit), exit_names, 0, 0 },
	{ "records", "on, off", parse_switch, FIELD(records), NULL, 0, 0 },
	{ "verbose", "on, off", parse_switch, FIELD(verbose), NULL, 0, 0 },
	{ "inject", "page, chunk, ud, stack, cpu, cpu-ud, print, double-free, free-reserved, "
	  "free-order", parse_choice, FIELD(inject), inject_names, 0, 0 },
};
enum { KEY_COUNT = sizeof(keys) / sizeof(keys[0]) };
static const char key_list[] = "run, policy, pcp, free, map, size, gather, max_active, fragment, "
			       "threads, core_mbps, chunk, split, place, vmemmap, page_size, "
			       "store, repeat, serial, exit, records, verbose, inject";

/* ---- the whole line ---------------------------------------------------------------------- */

static void add_issue(struct options *options, const char *word, const char *allowed,
		      bool unknown_key)
{
	struct cmdline_issue *issue;

	if (options->issue_count < CMDLINE_ISSUES) {
		issue = &options->issues[options->issue_count];
		string_copy(issue->word, word, sizeof(issue->word));
		issue->allowed = allowed;
		issue->unknown_key = unknown_key;
	}
	options->issue_count++;
}

/* The key that `word` begins with and, in *value, what follows its '='; NULL: there is none. */
static const struct key *find_key(const char *word, const char **value)
{
	char name[WORD_MAX + 1];
	size_t length = 0;

	while (word[length] && word[length] != '=')
		length++;
	string_copy(name, word, length + 1);
	*value = word[length] ? word + length + 1 : NULL;
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (string_equal(name, keys[i].name))
			return &keys[i];
	return NULL;
}

/* `last_right` has for every key the last word that was right. */
static void parse_word(const struct word *word, char last_right[][WORD_MAX + 1],
		       struct options *options)
{
	const char *value;
	const struct key *key = find_key(word->text, &value);

	if (!key) {
		add_issue(options, word->text, key_list, true);
		return;
	}
	/* `verbose` alone, as `verbose=on` */
	if (!value && key->field == FIELD(verbose))
		value = "on";
	if (word->too_long || !value || !key->parse(key, value, options))
		add_issue(options, word->text, key->allowed, false);
	else
		string_copy(last_right[key - keys], word->text, WORD_MAX + 1);
}

/* Known at the end only: a right word may follow a wrong one. */
static void tell_what_holds(char last_right[][WORD_MAX + 1], struct options *options)
{
	for (uint32_t i = 0; i < options->issue_count && i < CMDLINE_ISSUES; i++) {
		struct cmdline_issue *issue = &options->issues[i];
		const char *value;
		const struct key *key = find_key(issue->word, &value);

		if (key)
			string_copy(issue->holds, last_right[key - keys], sizeof(issue->holds));
	}
}

static bool is_kernel_path(const struct word *word)
{
	const char *value;

	(void)find_key(word->text, &value);
	return word->text[0] == '/' && !value;
}

static void set_defaults(struct options *options)
{
	*options = (struct options){
		.experiment_chosen = { [EXPERIMENT_INIT] = true },
		.split = SPLIT_DYNAMIC,
		.place = PLACE_LOCAL,
		.vmemmap = VMEMMAP_2M,
		.store = STORE_PLAIN,
		.page_size = 64,
		.repeat = REPEAT_DEFAULT,
		.serial_port = 0x3f8,
		.exit = EXIT_HALT,
		.records = true,
	};
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		options->policy_chosen[policy] = policy_runs_unasked((enum policy)policy);
	memset(options->pcp_chosen, true, sizeof(options->pcp_chosen));
	memset(options->free_chosen, true, sizeof(options->free_chosen));
	memset(options->mapping_chosen, true, sizeof(options->mapping_chosen));
}

void cmdline_parse(const char *text, struct options *options)
{
	char last_right[KEY_COUNT][WORD_MAX + 1] = { { 0 } };
	struct word word;

	set_defaults(options);
	for (bool first = true; cmdline_next_word(&text, &word); first = false)
		if (!first || !is_kernel_path(&word))
			parse_word(&word, last_right, options);
	tell_what_holds(last_right, options);
}

bool policy_runs_unasked(enum policy policy)
{
	return policy <= POLICY_ASYNC;
}

static const char *name_of(const struct name_value *names, uint32_t value)
{
	for (; names->name; names++)
		if (names->value == value)
			return names->name;
	return "?";
}

const char *policy_name(enum policy policy)
{
	return name_of(policy_names, policy);
}

const char *pcp_name(enum pcp pcp)
{
	return name_of(pcp_names, pcp);
}

const char *free_way_name(enum free_way way)
{
	return name_of(free_names, way);
}

const char *mapping_name(enum mapping mapping)
{
	return name_of(mapping_names, mapping);
}
