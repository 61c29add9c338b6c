/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/anomaly.h"

struct anomaly_row {
	struct anomaly anomaly;
	const char *word;
};

static const struct field fields[] = {
	FIELD(struct anomaly_row, anomaly.table, AS_TEXT, .name = "table"),
	FIELD(struct anomaly_row, anomaly.offset, AS_HEX, .name = "offset",
	      .meaning = "bytes in the table, or the number of an entry"),
	FIELD(struct anomaly_row, anomaly.reason, AS_TEXT, .name = "reason"),
	FIELD(struct anomaly_row, anomaly.value, AS_HEX, .name = "value"),
	FIELD(struct anomaly_row, word, AS_TEXT, IF(struct anomaly_row, word), .name = "word",
	      .meaning = "of table `cmdline`, as given"),
};
const struct record_type anomaly_record = RECORD_TYPE(
	"anomaly", "as found; those found before the `run` record right after it", fields);

void report_anomaly(struct record_stream *records, const struct anomaly *anomaly, const char *word)
{
	const struct anomaly_row row = { *anomaly, word };

	field_record(records, &anomaly_record, &row);
}

void report_anomalies(struct report *report, const struct anomaly_log *log)
{
	for (uint32_t i = report->anomalies; i < log->count; i++) {
		const struct anomaly *anomaly = &log->entries[i];

		report_line(report, "anomaly: %s+0x%llx: %s (value 0x%llx)", anomaly->table,
			    (unsigned long long)anomaly->offset, anomaly->reason,
			    (unsigned long long)anomaly->value);
	}
	if (log->dropped > report->anomalies_dropped)
		report_line(report, "anomaly: %u more, for which there was no room",
			    log->dropped - report->anomalies_dropped);
	for (uint32_t i = report->anomalies; i < log->count; i++)
		report_anomaly(&report->records, &log->entries[i], NULL);
	report->anomalies = log->count;
	report->anomalies_dropped = log->dropped;
}
