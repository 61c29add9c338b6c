/* The store kernels: which there are, how fast they were, which are used. */
#include "kernel/report_text.h"
#include "lib/format.h"

enum { LIST_BYTES = 128 }; /* of all their names */

static const char *name_of(enum store store)
{
	return store == STORE_AUTO ? "auto" : store_kernel(store)->name;
}

static void refusal_line(const struct report *report, const struct store_trials *trials,
			 const char *list)
{
	report_wrapped(report,
		       "cmdline: store=%s: not every CPU has %s (or its registers cannot be "
		       "enabled): they have %s; using %s",
		       name_of(trials->wish), store_kernel(trials->wish)->needs, list,
		       trials->tried ? "auto" : "plain");
}

/* Times with one cell of how much faster the way used is. */
static void trials_table(struct report *report, const struct store_trials *trials)
{
	static const struct column columns[] = {
		{ "store", "", -10 },
		{ "init alone", "ms", 12 },
		{ "of the best", "", 11 },
		{ "with freeing", "ms", 12 },
		{ "of the best", "", 11 },
	};
	const struct store_trial *alone = &trials->trials[trials->choice.alone];
	const struct store_trial *freed = &trials->trials[trials->choice.with_free];
	struct table table;

	table_begin(&table, report, columns, 5);
	for (int store = 0; store < STORE_COUNT; store++) {
		const struct store_trial *trial = &trials->trials[store];

		if (!trial->with_free_cycles)
			continue;
		table_text(&table, store_kernel((enum store)store)->name);
		table_ms(&table, trial->alone_cycles);
		table_ratio(&table, trial->alone_cycles, alone->alone_cycles, 2);
		table_ms(&table, trial->with_free_cycles);
		table_ratio(&table, trial->with_free_cycles, freed->with_free_cycles, 2);
	}
	report_line(report, "The shorter of %u runs on all nodes at once, slowest node: first pass "
			    "of ktask, and zone.", STORE_TRIAL_RUNS);
}

static void refusal_record(struct record_stream *records, const struct store_trials *trials)
{
	char word[LIST_BYTES];

	format(word, sizeof(word), "store=%s", name_of(trials->wish));
	record_begin(records, "anomaly");
	record_text(records, "table", "cmdline");
	record_u64(records, "offset", 0);
	record_text(records, "reason", "not every CPU has this store");
	record_u64(records, "value", (uint64_t)trials->wish);
	record_text(records, "word", word);
	record_end(records);
}

static void choice_record(struct record_stream *records, const struct store_trials *trials,
			  const char *list)
{
	record_begin(records, "store");
	record_text(records, "asked", name_of(trials->wish));
	record_bool(records, "refused", trials->refused);
	record_text(records, "alone", name_of(trials->choice.alone));
	record_text(records, "with_free", name_of(trials->choice.with_free));
	record_bool(records, "tried", trials->tried);
	record_text(records, "has", list);
	record_end(records);
}

static void trial_record(struct record_stream *records, enum store store,
			 const struct store_trial *trial)
{
	if (!trial->with_free_cycles)
		return;
	record_begin(records, "store_trial");
	record_text(records, "store", name_of(store));
	record_u64(records, "alone_cycles", trial->alone_cycles);
	record_u64(records, "with_free_cycles", trial->with_free_cycles);
	record_end(records);
}

void report_stores(struct report *report, const struct store_trials *trials)
{
	const struct store_choice *choice = &trials->choice;
	char list[LIST_BYTES];

	store_list(&trials->has, list, sizeof(list));
	if (choice->alone == choice->with_free)
		report_heading(report, "stores of struct pages: %s", name_of(choice->alone));
	else
		report_heading(report,
			       "stores of struct pages: %s where only initialised, %s where freed "
			       "right after", name_of(choice->alone), name_of(choice->with_free));
	if (trials->refused)
		refusal_line(report, trials, list);
	else
		report_wrapped(report, "All CPUs have: %s.", list);
	if (trials->tried)
		trials_table(report, trials);
	if (trials->refused)
		refusal_record(&report->records, trials);
	choice_record(&report->records, trials, list);
	for (int store = 0; store < STORE_COUNT; store++)
		trial_record(&report->records, (enum store)store, &trials->trials[store]);
}
