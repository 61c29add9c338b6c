/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/cmdline_words.h"
#include "experiments/table.h"
#include "lab/options.h"

static struct options options;

static void parse(const char *text)
{
	/* A copy of exactly the text's size, so that reading past its end is seen. */
	char *copy = strdup(text);

	memset(&options, 0xa5, sizeof(options));
	options_parse(copy, false, &experiment_words, &options);
	free(copy);
}

/* Exactly those whose bits are set. */
static void assert_chosen(const bool *chosen, int count, uint32_t wanted)
{
	for (int i = 0; i < count; i++)
		assert_int_equal(chosen[i], wanted >> i & 1);
}

static void assert_policies(uint32_t wanted)
{
	assert_chosen(options.policy_chosen, POLICY_COUNT, wanted);
}

enum {
	NODE = 1 << POLICY_NODE,
	PADATA = 1 << POLICY_PADATA,
	ALL = (1 << POLICY_COUNT) - 1,
	GENERATIONS = (1 << (POLICY_ASYNC + 1)) - 1,
	ALL_WAYS = (1 << PCP_COUNT) - 1,
	ALL_FREE = (1 << FREE_COUNT) - 1
};

static void assert_defaults(void)
{
	assert_true(options.experiment_chosen[EXPERIMENT_INIT]);
	assert_false(options.experiment_chosen[EXPERIMENT_SWEEP]);
	assert_false(options.experiment_chosen[EXPERIMENT_BANDWIDTH]);
	assert_false(options.experiment_chosen[EXPERIMENT_PCP]);
	assert_false(options.experiment_chosen[EXPERIMENT_FREE]);
	assert_policies(GENERATIONS);
	assert_chosen(options.pcp_chosen, PCP_COUNT, ALL_WAYS);
	assert_chosen(options.free_chosen, FREE_COUNT, ALL_FREE);
	assert_chosen(options.mapping_chosen, MAPPING_COUNT, 3);
	assert_int_equal(options.size_mib, 0);
	assert_int_equal(options.gather, 0);
	assert_int_equal(options.max_active, 0);
	assert_int_equal(options.fragment, 0);
	assert_int_equal(options.core_mbps, 0);
	assert_int_equal(options.split, SPLIT_DYNAMIC);
	assert_int_equal(options.place, PLACE_LOCAL);
	assert_int_equal(options.vmemmap, VMEMMAP_2M);
	assert_int_equal(options.page_size, 64);
	assert_int_equal(options.store, STORE_PLAIN);
	assert_false(options.store_given);
	assert_int_equal(options.threads, 0);
	assert_int_equal(options.chunk_mib, 0);
	assert_int_equal(options.repeat, 5);
	assert_int_equal(options.serial_port, 0x3f8);
	assert_int_equal(options.exit, EXIT_HALT);
	assert_int_equal(options.inject, INJECT_NONE);
	assert_true(options.records);
	assert_false(options.verbose);
}

static void defaults(void **state)
{
	(void)state;
	parse("");
	assert_defaults();
	assert_int_equal(options.issue_count, 0);
	parse(" \t\r\n ");
	assert_defaults();
	assert_int_equal(options.issue_count, 0);
}

static void every_key(void **state)
{
	(void)state;
	parse("run=sweep policy=node,padata threads=7 chunk=256 split=static place=interleave "
	      "vmemmap=1g page_size=40 store=nt512 repeat=100 serial=0x2f8 exit=qemu records=off "
	      "verbose=on inject=stack");
	assert_int_equal(options.issue_count, 0);
	assert_false(options.experiment_chosen[EXPERIMENT_INIT]);
	assert_true(options.experiment_chosen[EXPERIMENT_SWEEP]);
	assert_policies(NODE | PADATA);
	assert_int_equal(options.split, SPLIT_STATIC);
	assert_int_equal(options.place, PLACE_INTERLEAVE);
	assert_int_equal(options.vmemmap, VMEMMAP_1G);
	assert_int_equal(options.page_size, 40);
	assert_int_equal(options.store, STORE_NT512);
	assert_true(options.store_given);
	assert_int_equal(options.threads, 7);
	assert_int_equal(options.chunk_mib, 256);
	assert_int_equal(options.repeat, 100);
	assert_int_equal(options.serial_port, 0x2f8);
	assert_int_equal(options.exit, EXIT_QEMU);
	assert_int_equal(options.inject, INJECT_STACK);
	assert_false(options.records);
	assert_true(options.verbose);
}

static void each_policy_alone(void **state)
{
	static const char *const names[] = { "serial", "node", "ktask", "padata",
					     "zone", "lazy", "async", "cores",
					     "hmat", "calibrated", "auto" };
	char text[32];

	(void)state;
	for (int policy = 0; policy < POLICY_COUNT; policy++) {
		assert_string_equal(policy_name((enum policy)policy), names[policy]);
		strcpy(text, "policy=");
		parse(strcat(text, names[policy]));
		assert_int_equal(options.issue_count, 0);
		assert_policies(1u << policy);
	}
	assert_string_equal(policy_name(POLICY_COUNT), "?");
}

static void lists_of_policies(void **state)
{
	(void)state;
	parse("policy=serial,node,ktask,padata,zone,lazy,async");
	assert_int_equal(options.issue_count, 0);
	assert_policies(GENERATIONS);
	parse("policy=lazy policy=all");
	assert_int_equal(options.issue_count, 0);
	assert_policies(ALL);
	parse("policy=async,async,serial");
	assert_policies(1 << POLICY_ASYNC | 1 << POLICY_SERIAL);
	parse("policy=all,node");
	assert_policies(ALL);
}

static void experiments(void **state)
{
	(void)state;
	parse("run=sweep,init");
	assert_true(options.experiment_chosen[EXPERIMENT_INIT]);
	assert_true(options.experiment_chosen[EXPERIMENT_SWEEP]);
	parse("run=sweep run=init");
	assert_true(options.experiment_chosen[EXPERIMENT_INIT]);
	assert_false(options.experiment_chosen[EXPERIMENT_SWEEP]);
	parse("run=bandwidth");
	assert_true(options.experiment_chosen[EXPERIMENT_BANDWIDTH]);
	assert_false(options.experiment_chosen[EXPERIMENT_INIT]);
	parse("run=pcp,free");
	assert_chosen(options.experiment_chosen, EXPERIMENT_COUNT,
		      1 << EXPERIMENT_PCP | 1 << EXPERIMENT_FREE);
}

static void ways_of_the_allocator(void **state)
{
	static const char *const pcp[] = { "none", "order0", "high", "merged", "trylock", "owned" };
	static const char *const ways[] = { "vanilla", "batch", "pieces", "owned" };
	char text[32];

	(void)state;
	for (int i = 0; i < PCP_COUNT; i++) {
		assert_string_equal(pcp_name((enum pcp)i), pcp[i]);
		strcpy(text, "pcp=");
		parse(strcat(text, pcp[i]));
		assert_int_equal(options.issue_count, 0);
		assert_chosen(options.pcp_chosen, PCP_COUNT, 1u << i);
	}
	for (int i = 0; i < FREE_COUNT; i++) {
		assert_string_equal(free_way_name((enum free_way)i), ways[i]);
		strcpy(text, "free=");
		parse(strcat(text, ways[i]));
		assert_int_equal(options.issue_count, 0);
		assert_chosen(options.free_chosen, FREE_COUNT, 1u << i);
	}
	parse("pcp=order0,owned free=batch,vanilla map=2m");
	assert_chosen(options.pcp_chosen, PCP_COUNT, 1 << PCP_ORDER0 | 1 << PCP_OWNED);
	assert_chosen(options.free_chosen, FREE_COUNT, 1 << FREE_VANILLA | 1 << FREE_BATCH);
	assert_chosen(options.mapping_chosen, MAPPING_COUNT, 1 << MAPPING_2M);
	parse("pcp=none pcp=all free=pieces free=all map=4k");
	assert_chosen(options.pcp_chosen, PCP_COUNT, ALL_WAYS);
	assert_chosen(options.free_chosen, FREE_COUNT, ALL_FREE);
	assert_chosen(options.mapping_chosen, MAPPING_COUNT, 1 << MAPPING_4K);
	assert_int_equal(options.issue_count, 0);
	assert_string_equal(mapping_name(MAPPING_4K), "4k");
	assert_string_equal(mapping_name(MAPPING_2M), "2m");
}

static void how_much_is_freed(void **state)
{
	(void)state;
	parse("size=1 gather=1 max_active=1 fragment=0");
	assert_int_equal(options.issue_count, 0);
	assert_int_equal(options.size_mib, 1);
	assert_int_equal(options.gather, 1);
	assert_int_equal(options.max_active, 1);
	assert_int_equal(options.fragment, 0);
	parse("size=67108864 gather=65536 max_active=4096 fragment=100");
	assert_int_equal(options.issue_count, 0);
	assert_int_equal(options.size_mib, 67108864);
	assert_int_equal(options.gather, 65536);
	assert_int_equal(options.max_active, 4096);
	assert_int_equal(options.fragment, 100);
}

static void what_a_core_writes(void **state)
{
	(void)state;
	parse("core_mbps=11200");
	assert_int_equal(options.core_mbps, 11200);
	assert_int_equal(options.issue_count, 0);
	parse("core_mbps=0");
	assert_int_equal(options.core_mbps, 0);
	assert_int_equal(options.issue_count, 1);
	parse("core_mbps=4294967295");
	assert_int_equal(options.core_mbps, UINT32_MAX);
	parse("core_mbps=4294967296");
	assert_int_equal(options.issue_count, 1);
}

/* Every value of the keys that take one of several. */
static void modifiers(void **state)
{
	static const struct {
		const char *text;
		uint32_t split, place, vmemmap, page_size;
	} cases[] = {
		{ "split=dynamic", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 64 },
		{ "split=static", SPLIT_STATIC, PLACE_LOCAL, VMEMMAP_2M, 64 },
		{ "place=local", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 64 },
		{ "place=remote", SPLIT_DYNAMIC, PLACE_REMOTE, VMEMMAP_2M, 64 },
		{ "place=interleave", SPLIT_DYNAMIC, PLACE_INTERLEAVE, VMEMMAP_2M, 64 },
		{ "vmemmap=4k", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_4K, 64 },
		{ "vmemmap=2m", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 64 },
		{ "vmemmap=1g", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_1G, 64 },
		{ "page_size=64", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 64 },
		{ "page_size=56", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 56 },
		{ "page_size=40", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 40 },
		{ "page_size=32", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 32 },
		{ "page_size=16", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 16 },
		{ "page_size=8", SPLIT_DYNAMIC, PLACE_LOCAL, VMEMMAP_2M, 8 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		parse(cases[i].text);
		assert_int_equal(options.issue_count, 0);
		assert_int_equal(options.split, cases[i].split);
		assert_int_equal(options.place, cases[i].place);
		assert_int_equal(options.vmemmap, cases[i].vmemmap);
		assert_int_equal(options.page_size, cases[i].page_size);
	}
}

static void exact_chunks(void **state)
{
	char text[32];

	(void)state;
	for (uint32_t mib = 4; mib <= 65536; mib *= 2) {
		snprintf(text, sizeof(text), "chunk=%u", mib);
		parse(text);
		assert_int_equal(options.issue_count, 0);
		assert_int_equal(options.chunk_mib, mib);
	}
}

static void the_last_one_wins(void **state)
{
	(void)state;
	parse("policy=node policy=padata threads=1 threads=2 verbose verbose=off");
	assert_policies(PADATA);
	assert_int_equal(options.threads, 2);
	assert_false(options.verbose);
	assert_int_equal(options.issue_count, 0);
}

static void names_of_values(void **state)
{
	static const struct {
		const char *text;
		uint16_t port;
	} ports[] = {
		{ "serial=none", 0 },	    { "serial=com1", 0x3f8 },  { "serial=com2", 0x2f8 },
		{ "serial=com3", 0x3e8 },   { "serial=com4", 0x2e8 },  { "serial=3e8", 0x3e8 },
		{ "serial=0X3E8", 0x3e8 },  { "serial=fff8", 0xfff8 }, { "serial=0x0003f8", 0x3f8 },
	};
	static const char *const injects[] = { "inject=page", "inject=chunk", "inject=ud",
					       "inject=stack", "inject=overrun",
					       "inject=canary", "inject=cpu",
					       "inject=cpu-ud", "inject=print",
					       "inject=double-free", "inject=free-reserved",
					       "inject=free-order" };

	(void)state;
	for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		parse(ports[i].text);
		assert_int_equal(options.serial_port, ports[i].port);
		assert_int_equal(options.issue_count, 0);
	}
	for (int i = 0; i < INJECT_COUNT - INJECT_PAGE; i++) {
		parse(injects[i]);
		assert_int_equal(options.inject, INJECT_PAGE + i);
	}
	parse("exit=reboot verbose");
	assert_int_equal(options.exit, EXIT_REBOOT);
	assert_true(options.verbose);
}

/* What is left of a cut word may be another right one. */
static void a_cut_word_does_not_count(void **state)
{
	(void)state;
	options_parse("repeat=3 chunk=4", true, &experiment_words, &options);
	assert_int_equal(options.repeat, 3);
	assert_int_equal(options.chunk_mib, 0);
	assert_int_equal(options.issue_count, 1);
	assert_true(options.issues[0].cut);
	assert_string_equal(options.issues[0].word, "chunk=4");
	options_parse("repeat=3 chunk=4 ", true, &experiment_words, &options);
	assert_int_equal(options.chunk_mib, 4);
	assert_int_equal(options.issue_count, 0);
	options_parse("", true, &experiment_words, &options);
	assert_int_equal(options.issue_count, 0);
}

/* Each is one issue, of a key that exists, and leaves the default. */
static void wrong_values(void **state)
{
	static const char *const words[] = {
		"run=", "run=freed", "run=init,", "run=,sweep", "run=all", "policy=",
		"policy=buddy",
		"policy=node,",
		"policy=,node", "policy=node,,padata", "policy=NODE", "threads=0", "threads=4097",
		"threads=", "threads=-1", "threads=+1", "threads=4x", "threads=0x4", "threads= ",
		"threads=18446744073709551617", "threads=99999999999999999999999999999999",
		"threads=4294967297", "threads", "chunk=0", "chunk=2", "chunk=6", "chunk=100",
		"chunk=131072", "chunk=4g", "split=", "split=guided", "place=", "place=near",
		"vmemmap=", "vmemmap=4m", "vmemmap=2M", "page_size=", "page_size=0",
		"page_size=48", "page_size=064", "store=nt", "store=AUTO", "store=plain,nti",
		"repeat=0", "repeat=101", "serial=", "serial=0",
		"serial=0x", "serial=com5", "serial=10000", "serial=fff9", "serial=3f8h", "exit=",
		"exit=off", "records", "records=yes", "verbose=1", "verbose=", "inject=none",
		"inject=", "threads==4", "policy=all,", "policy=alle",
		"pcp=", "pcp=order1", "pcp=none,", "pcp=all,all,", "free=", "free=none",
		"free=pieces,,owned", "map=", "map=1g", "map=all", "size=0",
		"size=67108865", "size=1g", "gather=0", "gather=65537", "max_active=0",
		"max_active=4097", "fragment=", "fragment=101", "fragment=-1", "inject=free",
		"policy=padata,nodexxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		parse(words[i]);
		assert_defaults();
		assert_int_equal(options.issue_count, 1);
		assert_non_null(options.issues[0].key);
		assert_memory_equal(options.issues[0].key->word.name, words[i],
				    strlen(options.issues[0].key->word.name));
		assert_memory_equal(options.issues[0].word, words[i], strcspn(words[i], " "));
	}
}

static void a_wrong_value_keeps_the_earlier_right_one(void **state)
{
	(void)state;
	parse("policy=node threads=3 policy=padata,bad threads=0");
	assert_policies(NODE);
	assert_int_equal(options.threads, 3);
	assert_int_equal(options.issue_count, 2);
}

static void unknown_keys(void **state)
{
	static const char *const words[] = { "foo=1", "quiet", "=", "=5", "Threads=4", "thread=4",
					     "threadss=4", "\"\"" };

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		parse(words[i]);
		assert_defaults();
		assert_int_equal(options.issue_count, 1);
		assert_null(options.issues[0].key);
	}
}

/* WORD_MAX characters are a word, one more are not, whatever they would have meant. */
static void long_words(void **state)
{
	char text[WORD_MAX + 20];

	(void)state;
	snprintf(text, sizeof(text), "threads=%0*d", WORD_MAX - 8, 4);
	assert_int_equal(strlen(text), WORD_MAX);
	parse(text);
	assert_int_equal(options.threads, 4);
	assert_int_equal(options.issue_count, 0);
	snprintf(text, sizeof(text), "threads=%0*d repeat=9", WORD_MAX - 7, 4);
	parse(text);
	assert_int_equal(options.threads, 0);
	assert_int_equal(options.issue_count, 1);
	assert_int_equal(options.repeat, 9);
	assert_int_equal(strlen(options.issues[0].word), 47);
}

/* A list of everything that a key knows is one word, however many come to it. */
static void every_word_of_a_list_at_once(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < OPTION_KEYS; i++) {
		const struct option_key *key = &option_keys[i];
		const struct word_list *words = key->words ? key->words : &experiment_words;
		char text[2 * WORD_MAX] = "";

		if (key->kind != OPTION_LIST)
			continue;
		for (uint32_t word = 0; word < words->count; word++) {
			strcat(text, word ? "," : key->word.name);
			strcat(text, word ? "" : "=");
			strcat(text, words->at(word)->name);
		}
		parse(text);
		assert_int_equal(options.issue_count, 0);
		assert_chosen((const bool *)((const char *)&options + key->field),
			      (int)words->count, (1u << words->count) - 1);
		assert_true(strlen(text) <= WORD_MAX);
	}
}

/* Each key and each word says what it is and is known once. */
static void the_table_of_keys(void **state)
{
	uint32_t index;

	(void)state;
	for (uint32_t i = 0; i < OPTION_KEYS; i++) {
		const struct option_key *key = &option_keys[i];
		const struct word_list *words = key->words;

		assert_true(key->word.name[0] && key->word.help[0]);
		assert_true(word_find(&option_key_words, key->word.name, &index));
		assert_int_equal(index, i);
		assert_int_equal(!words, key->kind == OPTION_NUMBER || key->kind == OPTION_POWER ||
						 !strcmp(key->word.name, "run"));
		assert_true(!key->unit || key->max);
		for (uint32_t word = 0; words && word < words->count; word++) {
			assert_true(words->at(word)->name[0]);
			assert_non_null(words->at(word)->help);
			assert_true(word_find(words, words->at(word)->name, &index));
			assert_int_equal(index, word);
		}
	}
}

static void assert_allowed(const char *text, const char *allowed)
{
	char found[OPTION_TEXT];

	parse(text);
	assert_int_equal(options.issue_count, 1);
	options_allowed(&options, &options.issues[0], found);
	assert_string_equal(found, allowed);
}

static void what_is_allowed(void **state)
{
	(void)state;
	assert_allowed("run=x", "init, sweep, bandwidth, pcp, free, with commas");
	assert_allowed("policy=x", "serial, node, ktask, padata, zone, lazy, async, cores, hmat, "
		       "calibrated, auto, with commas, or all");
	assert_allowed("map=x", "4k, 2m, with commas");
	assert_allowed("size=x", "MiB, 1 to 67108864");
	assert_allowed("fragment=x", "percent, 0 to 100");
	assert_allowed("core_mbps=x", "1 to 4294967295");
	assert_allowed("chunk=x", "MiB, a power of two from 4 to 65536");
	assert_allowed("page_size=x", "64, 56, 40, 32, 16, 8");
	assert_allowed("store=x", "plain, linux, template, stosq, nti, nt128, nt256, nt512, v256, "
		       "v512, movdir64b, clzero, auto");
	assert_allowed("serial=x", "none, com1 to com4, or a port in hex (0x2f8)");
	assert_allowed("records=x", "on, off");
	assert_allowed("inject=x", "page, chunk, ud, stack, overrun, canary, cpu, cpu-ud, print, "
		       "double-free, free-reserved, free-order");
	assert_allowed("x", "run, policy, pcp, free, map, size, gather, max_active, fragment, "
		       "threads, core_mbps, chunk, split, place, vmemmap, page_size, "
		       "store, repeat, serial, exit, records, verbose, inject");
}

static void path_of_the_kernel(void **state)
{
	(void)state;
	parse("/boot/memmap-lab.elf threads=2");
	assert_int_equal(options.issue_count, 0);
	assert_int_equal(options.threads, 2);
	parse("/boot/a/path/that/is/longer/than/any/word/could/be/memmap-lab.elf");
	assert_int_equal(options.issue_count, 0);
	parse("threads=2 /boot/memmap-lab.elf");
	assert_int_equal(options.issue_count, 1);
	parse("/boot=1");
	assert_int_equal(options.issue_count, 1);
}

/* As GRUB writes them. */
static void quotes(void **state)
{
	(void)state;
	parse("\"policy=node,padata\" thr\"eads=4\" repeat=\"3\"");
	assert_int_equal(options.issue_count, 0);
	assert_policies(NODE | PADATA);
	assert_int_equal(options.threads, 4);
	assert_int_equal(options.repeat, 3);
	parse("\"foo=a b\" threads=4");
	assert_int_equal(options.issue_count, 1);
	assert_string_equal(options.issues[0].word, "foo=a b");
	assert_int_equal(options.threads, 4);
	parse("a\\\"b\\\\c\\d");
	assert_string_equal(options.issues[0].word, "a\"b\\c\\d");
	parse("threads=5 \"open repeat=7");
	assert_int_equal(options.threads, 5);
	assert_int_equal(options.repeat, 5);
	parse("threads=5 \\");
	assert_int_equal(options.issue_count, 1);
}

static void more_issues_than_are_kept(void **state)
{
	(void)state;
	parse("a b c d e f g h i j k l m n o p q r s t");
	assert_int_equal(options.issue_count, 20);
	assert_string_equal(options.issues[CMDLINE_ISSUES - 1].word, "p");
}

/* Random bytes, and random bytes between pieces that mean something. */
static void random_bytes(void **state)
{
	static const char *const pieces[] = { "threads=", "policy=", "node", ",", " ", "\"", "\\",
					      "=", "serial=", "0x", "verbose", "99999999999",
					      "chunk=", "all", "run=", "page_size=" };
	char text[300];

	(void)state;
	srand(1);
	for (int i = 0; i < 30000; i++) {
		size_t length = 0, wanted = (size_t)rand() % 200;

		while (length < wanted) {
			const char *piece = pieces[rand() % 16];

			if (rand() % 2) {
				text[length++] = (char)(rand() % 255 + 1);
			} else {
				memcpy(text + length, piece, strlen(piece));
				length += strlen(piece);
			}
		}
		text[length] = '\0';
		parse(text);
		assert_in_range(options.repeat, 1, REPEAT_MAX);
		assert_in_range(options.threads, 0, 4096);
		assert_int_equal(options.chunk_mib & (options.chunk_mib - 1), 0);
		assert_non_null(memchr(options.policy_chosen, true, POLICY_COUNT));
		assert_non_null(memchr(options.experiment_chosen, true, EXPERIMENT_COUNT));
		for (uint32_t n = 0; n < options.issue_count && n < CMDLINE_ISSUES; n++) {
			assert_true(strnlen(options.issues[n].word, 48) < 48);
			assert_true(strnlen(options.issues[n].holds, 48) < 48);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(every_key),
		cmocka_unit_test(each_policy_alone),
		cmocka_unit_test(lists_of_policies),
		cmocka_unit_test(experiments),
		cmocka_unit_test(ways_of_the_allocator),
		cmocka_unit_test(how_much_is_freed),
		cmocka_unit_test(what_a_core_writes),
		cmocka_unit_test(modifiers),
		cmocka_unit_test(exact_chunks),
		cmocka_unit_test(the_last_one_wins),
		cmocka_unit_test(names_of_values),
		cmocka_unit_test(a_cut_word_does_not_count),
		cmocka_unit_test(wrong_values),
		cmocka_unit_test(a_wrong_value_keeps_the_earlier_right_one),
		cmocka_unit_test(unknown_keys),
		cmocka_unit_test(long_words),
		cmocka_unit_test(every_word_of_a_list_at_once),
		cmocka_unit_test(the_table_of_keys),
		cmocka_unit_test(what_is_allowed),
		cmocka_unit_test(path_of_the_kernel),
		cmocka_unit_test(quotes),
		cmocka_unit_test(more_issues_than_are_kept),
		cmocka_unit_test(random_bytes),
	};

	return cmocka_run_group_tests_name("cmdline", tests, NULL, NULL);
}
