/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/store.h"

#include "lib/format.h"
#include "lib/page_units.h"
#include "report/table.h"
#include "report/text.h"

enum { LIST_BYTES = 128, CHOICE_BYTES = 96 }; /* of all their names, of two in a sentence */

static void refusal_line(const struct report *report, const struct store_trials *trials,
			 const char *list)
{
	report_wrapped(report,
		       "cmdline: store=%s: not every CPU has %s (or its registers cannot be "
		       "enabled): they have %s; using %s",
		       store_name(trials->wish), store_kernel(trials->wish)->needs, list,
		       trials->tried ? "auto" : "plain");
}

/* ---- times ---------------------------------------------------------------------------------- */

/* Times with one cell of how much faster the best way is on that kind of core. */
static void trial_row(struct table *table, const struct store_trials *trials, uint32_t kind,
		      enum store store)
{
	const struct store_trial *trial = &trials->trials[kind][store];
	const struct store_choice *best = &trials->best[kind];

	if (trials->kind_count > 1)
		table_u64(table, kind);
	table_text(table, store_name(store));
	table_ms(table, trial->alone_cycles);
	table_ratio(table, trial->alone_cycles, trials->trials[kind][best->alone].alone_cycles, 2);
	table_ms(table, trial->with_free_cycles);
	table_ratio(table, trial->with_free_cycles,
		    trials->trials[kind][best->with_free].with_free_cycles, 2);
}

static bool nothing_deferred(const struct store_trials *trials)
{
	if (!trials->tried || !trials->verified)
		return false;
	for (uint32_t kind = 0; kind < trials->kind_count; kind++)
		for (int store = 0; store < STORE_COUNT; store++)
			if (trials->trials[kind][store].with_free_cycles)
				return false;
	return true;
}

static void trials_table(struct report *report, const struct store_trials *trials)
{
	static const struct column columns[] = {
		{ "kind", "of core", 7 },
		{ "store", "", -10 },
		{ "init alone", "ms", 12 },
		{ "of the best", "", 11 },
		{ "with freeing", "ms", 12 },
		{ "of the best", "", 11 },
	};
	bool kinds = trials->kind_count > 1;
	struct table table;

	if (nothing_deferred(trials)) {
		report_line(report, "Nothing is deferred: there was nothing to time any by.");
		return;
	}
	table_begin(&table, report, kinds ? columns : columns + 1, kinds ? 6 : 5);
	for (uint32_t kind = 0; kind < trials->kind_count; kind++)
		for (int store = 0; store < STORE_COUNT; store++)
			if (trials->trials[kind][store].with_free_cycles)
				trial_row(&table, trials, kind, (enum store)store);
	report_wrapped(report,
		       "The shorter of %u runs on all nodes at once, slowest node: first pass of "
		       "ktask, and zone%s.", STORE_TRIAL_RUNS,
		       kinds ? ", by the CPUs of one kind alone" : "");
}

/* ---- what is used --------------------------------------------------------------------------- */

static bool same_on_all_kinds(const struct store_choice *choices, uint32_t kind_count)
{
	for (uint32_t kind = 1; kind < kind_count; kind++)
		if (choices[kind].alone != choices[0].alone ||
		    choices[kind].with_free != choices[0].with_free)
			return false;
	return true;
}

static const char *name_choice(char text[CHOICE_BYTES], const struct store_choice *choice)
{
	if (choice->alone == choice->with_free)
		format(text, CHOICE_BYTES, "%s", store_name(choice->alone));
	else
		format(text, CHOICE_BYTES,
		       "%s where only initialised, %s where freed right after",
		       store_name(choice->alone), store_name(choice->with_free));
	return text;
}

static void kind_lines(const struct report *report, const struct store_choice *choices,
		       const struct topology *topology)
{
	char text[CHOICE_BYTES];

	for (uint32_t i = 0; i < topology->kind_count; i++) {
		const struct core_kind *kind = &topology->kinds[i];

		report_wrapped(report, "Kind %u (family %u, model %u, type 0x%x; %u CPUs): %s.", i,
			       kind->design.family, kind->design.model, kind->design.type,
			       kind->cpus, name_choice(text, &choices[i]));
	}
}

static void chosen_heading(const struct report *report, const struct store_trials *trials)
{
	char text[CHOICE_BYTES];

	if (same_on_all_kinds(trials->choice, trials->kind_count))
		report_heading(report, "stores of struct pages: %s",
			       name_choice(text, &trials->choice[0]));
	else
		report_heading(report, "stores of struct pages: by the kind of core");
}

/* Policies with rules of their own about stores. */
static void best_line(const struct report *report, const struct store_trials *trials)
{
	const char *policy = policy_name(POLICY_AUTO);
	char text[CHOICE_BYTES];

	if (!trials->best_wanted || nothing_deferred(trials))
		return;
	if (trials->for_best && trials->tried &&
	    same_on_all_kinds(trials->best, trials->kind_count))
		report_wrapped(report, "Policy %s uses the fastest: %s.", policy,
			       name_choice(text, &trials->best[0]));
	else if (trials->for_best && trials->tried)
		report_wrapped(report, "Policy %s uses the fastest on each kind of core.", policy);
	else if (trials->given && !trials->refused && trials->wish != STORE_AUTO)
		report_wrapped(report,
			       "Policy %s uses it, too: store=%s is the user's word, so none was "
			       "tried.", policy, store_name(trials->wish));
}

/* "NAME", or that there are several. */
static const char *name_kinds(char text[CHOICE_BYTES], const struct store_choice *choices,
			      uint32_t kind_count)
{
	if (same_on_all_kinds(choices, kind_count))
		return name_choice(text, &choices[0]);
	return "by the kind of core, see the trials above";
}

void report_best_stores(const struct report *report, const struct store_trials *trials)
{
	char used_text[CHOICE_BYTES], best_text[CHOICE_BYTES];
	const char *used = name_kinds(used_text, trials->choice, trials->kind_count);
	const char *best = name_kinds(best_text, trials->best, trials->kind_count);

	if (report->descriptor_bytes != STRUCT_PAGE_BYTES)
		report_wrapped(report, "Stores: descriptors of %u bytes have a loop of their own, "
				       "there is nothing to choose.", report->descriptor_bytes);
	else if (nothing_deferred(trials))
		report_wrapped(report, "Stores: all of it ran with %s; nothing is deferred, so "
				       "there was nothing to time others by.", used);
	else if (!trials->tried)
		report_wrapped(report, "Stores: all of it ran with %s; no others were tried, "
				       "store=auto does that.", used);
	else if (trials->for_best)
		report_wrapped(report, "Stores: fastest in the trials: %s. So policy %s ran, all "
				       "else with %s: what number is best with the fastest, "
				       "store=auto shows.",
			       best, policy_name(POLICY_AUTO), used);
	else
		report_wrapped(report, "Stores: all of it ran with the fastest of the trials, %s.",
			       used);
}

/* ---- records -------------------------------------------------------------------------------- */

static void refusal_record(struct record_stream *records, const struct store_trials *trials)
{
	char word[LIST_BYTES];

	format(word, sizeof(word), "store=%s", store_name(trials->wish));
	record_begin(records, "anomaly");
	record_text(records, "table", "cmdline");
	record_u64(records, "offset", 0);
	record_text(records, "reason", "not every CPU has this store");
	record_u64(records, "value", (uint64_t)trials->wish);
	record_text(records, "word", word);
	record_end(records);
}

static void choice_fields(struct record_stream *records, const struct store_choice *choice,
			  const struct store_choice *best)
{
	record_text(records, "alone", store_name(choice->alone));
	record_text(records, "with_free", store_name(choice->with_free));
	record_text(records, "best_alone", store_name(best->alone));
	record_text(records, "best_with_free", store_name(best->with_free));
}

static void choice_record(struct record_stream *records, const struct store_trials *trials,
			  const char *list)
{
	record_begin(records, "store");
	record_text(records, "asked", store_name(trials->wish));
	record_bool(records, "given", trials->given);
	record_bool(records, "refused", trials->refused);
	choice_fields(records, &trials->choice[0], &trials->best[0]);
	record_bool(records, "tried", trials->tried);
	record_text(records, "has", list);
	record_end(records);
}

static void kind_record(struct record_stream *records, const struct store_trials *trials,
			const struct topology *topology, uint32_t number)
{
	const struct core_kind *kind = &topology->kinds[number];

	record_begin(records, "core_kind");
	record_u64(records, "kind", number);
	record_u64(records, "family", kind->design.family);
	record_u64(records, "model", kind->design.model);
	record_u64(records, "core_type", kind->design.type);
	record_u64(records, "cpus", kind->cpus);
	choice_fields(records, &trials->choice[number], &trials->best[number]);
	record_end(records);
}

static void trial_record(struct record_stream *records, uint32_t kind, enum store store,
			 const struct store_trial *trial)
{
	if (!trial->with_free_cycles)
		return;
	record_begin(records, "store_trial");
	record_text(records, "store", store_name(store));
	record_u64(records, "kind", kind);
	record_u64(records, "alone_cycles", trial->alone_cycles);
	record_u64(records, "with_free_cycles", trial->with_free_cycles);
	record_end(records);
}

static void store_records(struct record_stream *records, const struct store_trials *trials,
			  const struct topology *topology, const char *list)
{
	if (trials->refused)
		refusal_record(records, trials);
	choice_record(records, trials, list);
	for (uint32_t kind = 0; kind < topology->kind_count; kind++)
		kind_record(records, trials, topology, kind);
	for (uint32_t kind = 0; kind < trials->kind_count; kind++)
		for (int store = 0; store < STORE_COUNT; store++)
			trial_record(records, kind, (enum store)store,
				     &trials->trials[kind][store]);
}

void report_stores(struct report *report, const struct store_trials *trials,
		   const struct topology *topology)
{
	char list[LIST_BYTES];

	store_list(&trials->has, list, sizeof(list));
	chosen_heading(report, trials);
	if (trials->refused)
		refusal_line(report, trials, list);
	else
		report_wrapped(report, "All CPUs have: %s.", list);
	if (trials->tried)
		trials_table(report, trials);
	if (!same_on_all_kinds(trials->best, trials->kind_count))
		kind_lines(report, trials->best, topology);
	best_line(report, trials);
	store_records(&report->records, trials, topology, list);
}
