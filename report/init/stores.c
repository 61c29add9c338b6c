/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/init/stores.h"

#include "lab/summary/stores.h"
#include "lib/format.h"
#include "lib/page_units.h"
#include "mm/init/policy.h"
#include "report/machine/store_records.h"
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

/* Where all cores are of one kind the table goes without it, the first of the fields. */
static void trials_table(struct report *report, const struct store_trials *trials)
{
	uint32_t left_out = trials->kind_count > 1 ? 0 : 1;
	struct field_table table;
	struct store_row row;

	if (store_nothing_deferred(trials)) {
		report_line(report, "Nothing is deferred: there was nothing to time any by.");
		return;
	}
	field_table_begin(&table, report, store_trial_record.fields + left_out,
			  store_trial_record.count - left_out);
	for (uint32_t kind = 0; kind < trials->kind_count; kind++)
		for (int store = 0; store < STORE_COUNT; store++)
			if (store_row(trials, kind, (enum store)store, &row))
				field_table_row(&table, &row);
	report_wrapped(report,
		       "The shorter of %u runs on all nodes at once, slowest node: first pass of "
		       "ktask, and zone%s.", STORE_TRIAL_RUNS,
		       left_out ? "" : ", by the CPUs of one kind alone");
}

/* ---- what is used --------------------------------------------------------------------------- */

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

	if (store_same_on_all_kinds(trials->choice, trials->kind_count))
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

	if (!trials->best_wanted || store_nothing_deferred(trials))
		return;
	if (trials->for_best && trials->tried &&
	    store_same_on_all_kinds(trials->best, trials->kind_count))
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
	if (store_same_on_all_kinds(choices, kind_count))
		return name_choice(text, &choices[0]);
	return "by the kind of core, see the trials above";
}

void report_best_stores(const struct report *report, const struct store_trials *trials)
{
	char used_text[CHOICE_BYTES], best_text[CHOICE_BYTES];
	const char *used = name_kinds(used_text, trials->choice, trials->kind_count);
	const char *best = name_kinds(best_text, trials->best, trials->kind_count);

	switch (store_advice(trials, report->descriptor_bytes)) {
	case STORES_HAVE_NO_CHOICE:
		report_wrapped(report, "Stores: descriptors of %u bytes have a loop of their own, "
				       "there is nothing to choose.", report->descriptor_bytes);
		break;
	case STORES_WITHOUT_TIMES:
		report_wrapped(report, "Stores: all of it ran with %s; nothing is deferred, so "
				       "there was nothing to time others by.", used);
		break;
	case STORES_UNTRIED:
		report_wrapped(report, "Stores: all of it ran with %s; no others were tried, "
				       "store=auto does that.", used);
		break;
	case STORES_BEST_APART:
		report_wrapped(report, "Stores: fastest in the trials: %s. So policy %s ran, all "
				       "else with %s: what number is best with the fastest, "
				       "store=auto shows.",
			       best, policy_name(POLICY_AUTO), used);
		break;
	case STORES_BEST:
		report_wrapped(report, "Stores: all of it ran with the fastest of the trials, %s.",
			       used);
		break;
	}
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
	if (!store_same_on_all_kinds(trials->best, trials->kind_count))
		kind_lines(report, trials->best, topology);
	best_line(report, trials);
	report_store_records(report, trials, topology, list);
}
