/* SPDX-License-Identifier: GPL-2.0-only */
/* The HMAT of a real server against what Linux reported of it. */
#include "acpi/hmat.h"
#include "acpi/hmat_lookup.h"
#include "lib/limits.h"
#include "tests/host/acpi_build.h"
#include "tests/host/real_tables.h"

enum { LINE_BYTES = 8192 };

static uint32_t hmat_figures_checked;

/* "... read latency ns  (Linux rounds up): 0-0 91, 0-1 167, ..." */
static void check_latencies(const struct hmat_facts *hmat, const char *text)
{
	unsigned initiator, target, ns;
	uint32_t pairs = 0;
	int used;

	while (sscanf(text, " %u-%u %u%n", &initiator, &target, &ns, &used) == 3) {
		struct hmat_pair pair = hmat_lookup(hmat, initiator, target);

		assert_int_equal(pair.read_latency_ns, ns);
		assert_int_equal(pair.write_latency_ns, ns); /* "write latency: same" */
		text += used + strspn(text + used, ",");
		pairs++;
	}
	assert_int_equal(pairs, 8);
}

/* "262100 122900 30000 30000 / 122900 262100 30000 30000", a row per initiator */
static void check_bandwidths(const struct hmat_facts *hmat, const char *text, bool write)
{
	for (uint32_t initiator = 0; initiator < 2; initiator++) {
		char *end;

		for (uint32_t target = 0; target < 4; target++, text = end) {
			struct hmat_pair pair = hmat_lookup(hmat, initiator, target);

			assert_int_equal(write ? pair.write_mbps : pair.read_mbps,
					 strtoul(text, &end, 10));
			assert_true(end != text);
		}
		text += strspn(text, " /");
	}
}

static const char *find_text(const char *line, const char *label)
{
	const char *at = strstr(line, label);

	if (!at)
		return NULL;
	hmat_figures_checked++;
	return at + strlen(label);
}

static void check_spr_line(const struct hmat_facts *hmat, const char *line)
{
	const char *text;

	if ((text = find_text(line, " read latency ns  (Linux rounds up):")))
		check_latencies(hmat, text);
	if ((text = find_text(line, " read bandwidth MB/s:")))
		check_bandwidths(hmat, text, false);
	if ((text = find_text(line, " write: ")))
		check_bandwidths(hmat, text, true);
}

/* Sapphire Rapids with two CXL domains: initiators for domains 0 and 1 only. */
static void spr_hmat(void **state)
{
	static const char *const folder = "server-intel-spr-hmat2-4node";
	static struct hmat_facts hmat;
	struct anomaly_log log = { 0 };
	struct acpi_table table;
	char line[LINE_BYTES];
	FILE *file;

	(void)state;
	if (real_data_missing())
		skip();
	table = load_file(folder, "hmat.dat");
	assert_true(hmat_parse(&table, &hmat, &log));
	assert_int_equal(log.count, 0);
	assert_int_equal(hmat.revision, 2);
	assert_int_equal(hmat.matrix_count, 4);
	assert_int_equal(hmat.proximity_count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(hmat.proximity[i].memory_pxm, i);
		assert_int_equal(hmat.proximity[i].initiator_pxm, i < 2 ? i : PXM_NONE);
	}
	file = open_text(folder, "linux-facts.txt");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		check_spr_line(&hmat, line);
	fclose(file);
	assert_int_equal(hmat_figures_checked, 3);
	exact_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spr_hmat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
