#include "boot/cmdline.h"

#include "lib/limits.h"
#include "lib/string.h"

enum { WORD_MAX = 48 };

/* One word of the command line, quotes taken off. */
struct word {
	char text[WORD_MAX + 1];
	bool too_long; /* `text` holds its beginning */
};

struct key {
	const char *name;
	const char *allowed; /* values, as a person is told them */
	bool (*parse)(const char *value, struct options *options);
};

struct name_value {
	const char *name;
	uint32_t value;
};

static const struct name_value policy_names[] = {
	{ "node", POLICY_NODE },
	{ "padata", POLICY_PADATA },
	{ 0 },
};
static const struct name_value switch_names[] = { { "off", 0 }, { "on", 1 }, { 0 } };
static const struct name_value exit_names[] = {
	{ "halt", EXIT_HALT },
	{ "reboot", EXIT_REBOOT },
	{ "qemu", EXIT_QEMU },
	{ 0 },
};
static const struct name_value inject_names[] = {
	{ "page", INJECT_PAGE },
	{ "chunk", INJECT_CHUNK },
	{ "ud", INJECT_UD },
	{ "stack", INJECT_STACK },
	{ "cpu", INJECT_CPU },
	{ "cpu-ud", INJECT_CPU_UD },
	{ "print", INJECT_PRINT },
	{ 0 },
};
/* Where PCs have had their serial ports since the first of them. */
static const struct name_value serial_names[] = {
	{ "none", 0 },	   { "com1", 0x3f8 }, { "com2", 0x2f8 },
	{ "com3", 0x3e8 }, { "com4", 0x2e8 }, { 0 },
};
static const struct name_value experiment_names[] = { { "init", 1 }, { 0 } };
static const struct name_value store_names[] = { { "plain", 1 }, { 0 } };

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

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Digits of `base` and nothing else, from `min` to `max`. */
static bool parse_number(const char *text, uint32_t base, uint32_t min, uint32_t max,
			 uint32_t *value)
{
	uint64_t number = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		uint32_t digit = (uint32_t)digit_value(*text);

		if (digit >= base)
			return false;
		number = number * base + digit;
		if (number > max)
			return false;
	}
	*value = (uint32_t)number;
	return number >= min;
}

/* Comma-separated names; sets chosen[value] for each. False, with `chosen` in any state, at
 * one that does not exist. */
static bool parse_list(const char *text, const struct name_value *names, bool *chosen)
{
	char item[WORD_MAX + 1];
	uint32_t value;

	for (;;) {
		size_t length = 0;

		while (text[length] && text[length] != ',')
			length++;
		string_copy(item, text, length + 1);
		if (!parse_name(item, names, &value))
			return false;
		chosen[value] = true;
		if (!text[length])
			return true;
		text += length + 1;
	}
}

static bool parse_run(const char *value, struct options *options)
{
	bool chosen[2];

	(void)options; /* one experiment exists, and it is always run */
	return parse_list(value, experiment_names, chosen);
}

static bool parse_policy(const char *value, struct options *options)
{
	bool chosen[POLICY_COUNT] = { false };

	if (!parse_list(value, policy_names, chosen))
		return false;
	for (int i = 0; i < POLICY_COUNT; i++)
		options->policy_chosen[i] = chosen[i];
	return true;
}

static bool parse_threads(const char *value, struct options *options)
{
	uint32_t number;

	if (!parse_number(value, 10, 1, CPU_MAX, &number))
		return false;
	options->threads = number;
	return true;
}

static bool parse_chunk(const char *value, struct options *options)
{
	uint32_t number;

	if (!parse_number(value, 10, 4, 65536, &number) || number & (number - 1))
		return false;
	options->chunk_mib = number;
	return true;
}

static bool parse_store(const char *value, struct options *options)
{
	uint32_t store;

	(void)options; /* one kind of store exists */
	return parse_name(value, store_names, &store);
}

static bool parse_repeat(const char *value, struct options *options)
{
	uint32_t number;

	if (!parse_number(value, 10, 1, REPEAT_MAX, &number))
		return false;
	options->repeat = number;
	return true;
}

static bool parse_serial(const char *value, struct options *options)
{
	uint32_t port;
	bool prefixed = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
	const char *digits = prefixed ? value + 2 : value;

	/* A 16550 has eight registers: the last base that leaves room for them is 0xfff8. */
	if (!parse_name(value, serial_names, &port) && !parse_number(digits, 16, 1, 0xfff8, &port))
		return false;
	options->serial_port = (uint16_t)port;
	return true;
}

static bool parse_exit(const char *value, struct options *options)
{
	uint32_t mode;

	if (!parse_name(value, exit_names, &mode))
		return false;
	options->exit = (enum exit_mode)mode;
	return true;
}

static bool parse_records(const char *value, struct options *options)
{
	uint32_t on;

	if (!parse_name(value, switch_names, &on))
		return false;
	options->records = on;
	return true;
}

static bool parse_verbose(const char *value, struct options *options)
{
	uint32_t on;

	if (!parse_name(value, switch_names, &on))
		return false;
	options->verbose = on;
	return true;
}

static bool parse_inject(const char *value, struct options *options)
{
	uint32_t inject;

	if (!parse_name(value, inject_names, &inject))
		return false;
	options->inject = (enum inject)inject;
	return true;
}

static const struct key keys[] = {
	{ "run", "init", parse_run },
	{ "policy", "node, padata, or both with a comma", parse_policy },
	{ "threads", "1 to 4096", parse_threads },
	{ "chunk", "MiB, a power of two from 4 to 65536", parse_chunk },
	{ "store", "plain", parse_store },
	{ "repeat", "1 to 100", parse_repeat },
	{ "serial", "none, com1 to com4, or a port in hex", parse_serial },
	{ "exit", "halt, reboot, qemu", parse_exit },
	{ "records", "on, off", parse_records },
	{ "verbose", "on, off", parse_verbose },
	{ "inject", "page, chunk, ud, stack, cpu, cpu-ud, print", parse_inject },
};
static const char key_list[] =
	"run, policy, threads, chunk, store, repeat, serial, exit, records, verbose, inject";

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void word_put(struct word *word, size_t *length, char c)
{
	if (*length == WORD_MAX) {
		word->too_long = true;
		return;
	}
	word->text[(*length)++] = c;
}

/* Takes the next word off *text; false at the end. GRUB puts an argument that holds blanks between
 * double quotes, and a backslash before a quote or a backslash. */
static bool next_word(const char **text, struct word *word)
{
	const char *at = *text;
	size_t length = 0;
	bool quoted = false;

	word->too_long = false;
	while (is_blank(*at))
		at++;
	if (!*at)
		return false;
	for (; *at && (quoted || !is_blank(*at)); at++) {
		if (*at == '\\' && (at[1] == '\\' || at[1] == '"' || at[1] == '\''))
			word_put(word, &length, *++at);
		else if (*at == '"')
			quoted = !quoted;
		else
			word_put(word, &length, *at);
	}
	word->text[length] = '\0';
	*text = at;
	return true;
}

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
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (string_equal(name, keys[i].name))
			return &keys[i];
	return NULL;
}

static void parse_word(const struct word *word, struct options *options)
{
	const char *value;
	const struct key *key = find_key(word->text, &value);

	if (!key) {
		add_issue(options, word->text, key_list, true);
		return;
	}
	if (!value && key->parse == parse_verbose)
		value = "on";
	if (word->too_long || !value || !key->parse(value, options))
		add_issue(options, word->text, key->allowed, false);
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
		.policy_chosen = { [POLICY_PADATA] = true },
		.repeat = REPEAT_DEFAULT,
		.serial_port = 0x3f8,
		.exit = EXIT_HALT,
		.records = true,
	};
}

void cmdline_parse(const char *text, struct options *options)
{
	struct word word;

	set_defaults(options);
	for (bool first = true; next_word(&text, &word); first = false)
		if (!first || !is_kernel_path(&word))
			parse_word(&word, options);
}

const char *policy_name(enum policy policy)
{
	for (const struct name_value *name = policy_names; name->name; name++)
		if (name->value == (uint32_t)policy)
			return name->name;
	return "?";
}
