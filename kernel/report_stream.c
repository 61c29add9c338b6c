#include "kernel/report_stream.h"

#include "kernel/report_text.h"
#include "lib/format.h"

enum { WHOLE = 100000, CENTI_PERCENT = 100, BITS_PER_CENTI_MBIT = 10000 };

/*
 * [Gorman 2016-11-27, netperf UDP_STREAM to localhost, 4.9.0-rc5, harmonic means: two sockets; one
 * socket, six years old] and [Linux 5.14 commit 44042b449872, on 5.13.0-rc2].
 */
static const uint16_t published[STREAM_SIZES][3] = {
	{ 439, 454, 19 }, { 444, 471, 40 }, { 496, 466, 20 },
	{ 468, 461, 35 }, { 475, 428, 35 }, { 455, 425, 32 },
	{ 371, 399, 29 }, { 354, 383, 49 }, { 199, 314, 23 },
};

uint32_t report_stream_published(uint32_t size, enum stream_published column)
{
	return published[size][column];
}

/* ---- cells ---------------------------------------------------------------------------------- */

static void percent_cell(struct table *table, int64_t centi_percent)
{
	uint64_t amount = centi_percent < 0 ? -(uint64_t)centi_percent : (uint64_t)centi_percent;
	char number[REPORT_CELL], cell[REPORT_CELL];

	format_ratio(number, amount, CENTI_PERCENT, 1);
	format(cell, sizeof(cell), "%c%.30s", centi_percent < 0 ? '-' : '+', number);
	table_text(table, cell);
}

/* A ratio of 1.0 is no change. */
static void ratio_cell(struct table *table, const struct interval *interval, uint64_t ratio)
{
	if (interval->known)
		percent_cell(table, ((int64_t)ratio - WHOLE) / (WHOLE / 100 / CENTI_PERCENT));
	else
		table_text(table, "-");
}

static void rate_cell(struct table *table, uint64_t bits_per_second)
{
	if (bits_per_second)
		table_ratio(table, bits_per_second / BITS_PER_CENTI_MBIT, 100, 2);
	else
		table_text(table, "-");
}

static void published_cells(struct table *table, uint32_t size)
{
	for (int column = STREAM_TWO_SOCKETS; column <= STREAM_LINUX_5_14; column++)
		percent_cell(table, published[size][column] * 10);
}

/* ---- tables --------------------------------------------------------------------------------- */

static void describe_setting(const struct report *report, const struct stream_setting *setting)
{
	const char *where = setting->place == CREW_NODE ? "of one node" : "of different nodes";
	char queue[REPORT_CELL];

	if (setting->queue_bytes)
		format(queue, sizeof(queue), "%llu bytes",
		       (unsigned long long)setting->queue_bytes);
	else
		format(queue, sizeof(queue), "size + 256 bytes");
	if (setting->pairs)
		report_heading(report, "stream: %u pair%s of CPUs %s, socket buffers of %s",
			       setting->pairs, setting->pairs > 1 ? "s" : "", where, queue);
	else
		report_heading(report, "stream: one CPU sends and receives, socket buffers of %s",
			       queue);
}

/* One way against order0 in the shape in which the runs were published. */
static void published_table(const struct report *report, const struct stream_results *results,
			    uint32_t setting, uint32_t way)
{
	const struct column columns[] = {
		{ "size", "bytes", 6 },	   { "order0", "Mbit/s", 10 },
		{ pcp_name(results->ways[way]), "Mbit/s", 10 }, { "change", "%", 7 },
		{ "median", "% from", 7 }, { "(95 %)", "to", 7 },
		{ "2016: two", "sockets %", 9 }, { "2016: one", "socket %", 9 },
		{ "Linux", "5.14 %", 7 },
	};
	struct table table;

	table_begin(&table, report, columns, 9);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_summary s;

		stream_summarise(results, report->tsc_hz, setting, way, size, &s);
		table_u64(&table, stream_sizes[size]);
		rate_cell(&table, s.baseline_bps);
		rate_cell(&table, s.bits_per_second);
		if (s.count)
			percent_cell(&table, stream_change(&s));
		else
			table_text(&table, "-");
		ratio_cell(&table, &s.ratio, s.ratio.low);
		ratio_cell(&table, &s.ratio, s.ratio.high);
		published_cells(&table, size);
	}
}

/* All ways at once. */
static void changes_table(const struct report *report, const struct stream_results *results,
			  uint32_t setting)
{
	struct column columns[3 + PCP_COUNT] = { { "size", "bytes", 6 },
						 { "order0", "Mbit/s", 10 } };
	struct table table;
	uint32_t ways = results->way_count;

	for (uint32_t way = 1; way < ways; way++)
		columns[way + 1] = (struct column){ pcp_name(results->ways[way]), "%", 8 };
	table_begin(&table, report, columns, ways + 1);
	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_summary s;

		stream_summarise(results, report->tsc_hz, setting, 0, size, &s);
		table_u64(&table, stream_sizes[size]);
		rate_cell(&table, s.bits_per_second);
		for (uint32_t way = 1; way < ways; way++) {
			stream_summarise(results, report->tsc_hz, setting, way, size, &s);
			if (s.count)
				percent_cell(&table, stream_change(&s));
			else
				table_text(&table, "-");
		}
	}
}

/* How often the way reached what was published for it. */
static void verdict_line(const struct report *report, const struct stream_results *results,
			 uint32_t setting, uint32_t way)
{
	uint32_t reached = 0, faster = 0;

	for (uint32_t size = 0; size < STREAM_SIZES; size++) {
		struct stream_summary s;
		int64_t change;

		stream_summarise(results, report->tsc_hz, setting, way, size, &s);
		change = stream_change(&s);
		reached += change >= published[size][STREAM_TWO_SOCKETS] * 10;
		faster += s.ratio.known && s.ratio.low > WHOLE;
	}
	report_line(report, "%s: faster than order0 beyond doubt at %u of %d sizes, by what was "
			    "published in 2016 at %u.", pcp_name(results->ways[way]), faster,
		    STREAM_SIZES, reached);
}

static void report_setting(const struct report *report, const struct stream_results *results,
			   uint32_t setting)
{
	describe_setting(report, &results->settings[setting]);
	if (setting && !report->verbose) {
		changes_table(report, results, setting);
	} else {
		for (uint32_t way = 1; way < results->way_count; way++) {
			published_table(report, results, setting, way);
			verdict_line(report, results, setting, way);
			report_line(report, "%s", "");
		}
		if (results->way_count == 1)
			changes_table(report, results, setting);
	}
	report_stream_counters(report, results, setting);
}

/* Of all slices. */
static void slices_without_figure(const struct report *report,
				  const struct stream_results *results)
{
	uint64_t slices = (uint64_t)results->setting_count * results->way_count * STREAM_SIZES *
			  results->repeat, slow = 0, starved = 0;

	for (uint64_t i = 0; i < slices; i++) {
		starved += results->samples[i].starved > 0;
		slow += !results->samples[i].starved && !results->samples[i].burst_millicycles;
	}
	if (slow)
		report_line(report, "%llu slices have no figure: a side stood still too long.",
			    (unsigned long long)slow);
	if (starved)
		report_line(report, "%llu slices have no figure: memory ended before the socket "
				    "was full.", (unsigned long long)starved);
}

void report_stream(struct report *report, const struct stream_results *results)
{
	char ms[REPORT_CELL];

	if (results->fault) {
		report_heading(report, "stream: ended by a fault under way %s, setting %u: %s",
			       pcp_name(results->fault_way), results->fault_setting,
			       results->fault);
	} else {
		for (uint32_t i = 0; i < results->setting_count; i++)
			report_setting(report, results, i);
		report_ms(report, ms, results->cycles);
		report_wrapped(report, "Harmonic means over %u slices of %u us, the rate of one "
				       "pair in the median burst of %d messages of each; the "
				       "interval is that of the median of the slices' ratios. All "
				       "%u runs took %s ms; after each of them every page was "
				       "back.",
			       results->repeat, results->slice_us, STREAM_BURST, results->runs,
			       ms);
		if (results->left_out)
			report_line(report, "%u settings were left out: the time was over.",
				    results->left_out);
		slices_without_figure(report, results);
	}
	report_stream_records(report, results);
}
