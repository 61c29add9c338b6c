/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/machine/store_records.h"

#include "lab/summary/stores.h"
#include "lib/format.h"
#include "report/anomaly.h"

static const struct field trial_fields[] = {
	FIELD(struct store_row, kind, AS_NUMBER, .name = "kind", .title = "kind",
	      .unit = "of core", .width = 7, .meaning = "of the cores that worked"),
	FIELD(struct store_row, store, AS_WORD, WORDS(store_name, STORE_COUNT), .name = "store",
	      .title = "store", .width = -10),
	FIELD(struct store_row, trial.alone_cycles, AS_MS, .name = "alone_cycles",
	      .title = "init alone", .unit = "ms", .width = 12,
	      .meaning = "of the slowest node, the shorter of two runs, as is the next one"),
	FIELD(struct store_row, trial.alone_cycles, AS_RATIO,
	      PER(struct store_row, best_alone_cycles), .decimals = 2, .title = "of the best",
	      .width = 11),
	FIELD(struct store_row, trial.with_free_cycles, AS_MS, .name = "with_free_cycles",
	      .title = "with freeing", .unit = "ms", .width = 12),
	FIELD(struct store_row, trial.with_free_cycles, AS_RATIO,
	      PER(struct store_row, best_with_free_cycles), .decimals = 2,
	      .title = "of the best", .width = 11),
};
const struct record_type store_trial_record = RECORD_TYPE(
	"store_trial", "one per kind of core and store that was tried", trial_fields);

struct choices {
	struct store_choice choice, best;
};

#define CHOICE_FIELDS(row)                                                                       \
	FIELD(row, choices.choice.alone, AS_WORD, WORDS(store_name, STORE_COUNT),                \
	      .name = "alone", .meaning = "used where struct pages are only initialised"),       \
	FIELD(row, choices.choice.with_free, AS_WORD, WORDS(store_name, STORE_COUNT),            \
	      .name = "with_free", .meaning = "used where they are freed right after"),          \
	FIELD(row, choices.best.alone, AS_WORD, WORDS(store_name, STORE_COUNT),                  \
	      .name = "best_alone", .meaning = "the same under policy `auto`"),                  \
	FIELD(row, choices.best.with_free, AS_WORD, WORDS(store_name, STORE_COUNT),              \
	      .name = "best_with_free", .meaning = "the same under policy `auto`")

struct store_asked {
	enum store asked;
	bool given, refused, tried;
	struct choices choices; /* of the boot CPU's kind of core */
	const char *has;
};

static const struct field store_fields[] = {
	FIELD(struct store_asked, asked, AS_WORD, WORDS(store_name, STORE_AUTO + 1),
	      .name = "asked"),
	FIELD(struct store_asked, given, AS_BOOL, .name = "given",
	      .meaning = "by a word of the user"),
	FIELD(struct store_asked, refused, AS_BOOL, .name = "refused",
	      .meaning = "some CPU lacks it"),
	CHOICE_FIELDS(struct store_asked),
	FIELD(struct store_asked, tried, AS_BOOL, .name = "tried",
	      .meaning = "the best were found by trials"),
	FIELD(struct store_asked, has, AS_TEXT, .name = "has",
	      .meaning = "those that all CPUs have, with `, ` between them"),
};
const struct record_type store_record =
	RECORD_TYPE("store", "once; the four choices are those of the boot CPU's kind of core",
		    store_fields);

struct kind_row {
	uint32_t kind;
	struct core_kind core;
	struct choices choices;
};

static const struct field kind_fields[] = {
	FIELD(struct kind_row, kind, AS_NUMBER, .name = "kind"),
	FIELD(struct kind_row, core.design.family, AS_NUMBER, .name = "family"),
	FIELD(struct kind_row, core.design.model, AS_NUMBER, .name = "model"),
	FIELD(struct kind_row, core.design.type, AS_HEX, .name = "core_type",
	      .meaning = "of hybrid machines, as the CPU says it; else 0"),
	FIELD(struct kind_row, core.cpus, AS_NUMBER, .name = "cpus"),
	CHOICE_FIELDS(struct kind_row),
};
const struct record_type core_kind_record =
	RECORD_TYPE("core_kind", "one per kind of core", kind_fields);

static void record_refusal(struct record_stream *records, const struct store_trials *trials)
{
	const struct anomaly anomaly = {
		.table = "cmdline",
		.reason = "not every CPU has this store",
		.value = (uint64_t)trials->wish,
	};
	char word[32];

	format(word, sizeof(word), "store=%s", store_name(trials->wish));
	report_anomaly(records, &anomaly, word);
}

static struct choices choices_of(const struct store_trials *trials, uint32_t kind)
{
	return (struct choices){ trials->choice[kind], trials->best[kind] };
}

void report_store_records(struct report *report, const struct store_trials *trials,
			  const struct topology *topology, const char *list)
{
	struct record_stream *records = &report->records;
	const struct store_asked asked = {
		.asked = trials->wish,
		.given = trials->given,
		.refused = trials->refused,
		.tried = trials->tried,
		.choices = choices_of(trials, 0),
		.has = list,
	};
	struct store_row row;

	if (trials->refused)
		record_refusal(records, trials);
	field_record(records, &store_record, &asked);
	for (uint32_t kind = 0; kind < topology->kind_count; kind++) {
		const struct kind_row of_kind = { kind, topology->kinds[kind],
						  choices_of(trials, kind) };

		field_record(records, &core_kind_record, &of_kind);
	}
	for (uint32_t kind = 0; kind < trials->kind_count; kind++)
		for (int store = 0; store < STORE_COUNT; store++)
			if (store_row(trials, kind, (enum store)store, &row))
				field_record(records, &store_trial_record, &row);
}
