/* SPDX-License-Identifier: GPL-2.0-only */
/* What firmware got wrong is told once, each time in the words that were logged. */
#include "tests/host/report_records.h"

static void anomalies_are_reported_once(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	anomaly_add(&lab.log, "SRAT", 0x118, "length below the header", 1);
	start();
	report_open(&report, &sink, &lab.options);
	report_anomalies(&report, &lab.log);
	assert_true(says("anomaly: SRAT+0x118: length below the header (value 0x1)\n"));
	assert_record("{'type':'anomaly','table':'SRAT'}",
		      "{'offset':280,'reason':'length below the header','value':1}");
	assert_unsaid("{'type':'anomaly'}", "word");
	anomaly_add(&lab.log, "\x7f\xff\n", UINT64_MAX, "a table of an odd name", UINT64_MAX);
	report_anomalies(&report, &lab.log);
	report_anomalies(&report, &lab.log);
	assert_int_equal(count("anomaly"), 2);
	assert_true(says("anomaly: ???+0xffffffffffffffff:"));
	for (int i = 0; i < 300; i++)
		anomaly_add(&lab.log, "MADT", 44, "one of many", 0);
	report_anomalies(&report, &lab.log);
	assert_int_equal(count("anomaly"), ANOMALY_MAX);
	assert_true(says("anomaly: 46 more, for which there was no room\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(anomalies_are_reported_once),
	};

	return cmocka_run_group_tests_name("anomaly", tests, NULL, NULL);
}
