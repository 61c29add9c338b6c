/* SPDX-License-Identifier: GPL-2.0-only */
/* The machine as it is told: its memory map, nodes, CPUs, links and memmap. */
#include "experiments/table.h"
#include "tests/host/report_rows.h"

static void begin(void)
{
	start();
	report_lab(&report, &sink);
}

/* Columns stand under their titles, and too wide a number pushes only its neighbours. */
static void columns_are_aligned(void **state)
{
	(void)state;
	make_lab(2, 2, 2 * GIB_PAGES, 2400000000);
	lab.topology.nodes[1].pages = UINT64_MAX;
	lab.map.ranges[3].end_pfn = 1ull << 40;
	begin();
	assert_true(says(
		"\nnode  proximity     CPUs     CPUs    cores          RAM  adopted by\n"
		"         domain  enabled   online   online          MiB        node\n"
		"   0          0        2        2        1         2047           -\n"
		"   1          2        2        2        1 17592186044415         -\n"));
	assert_true(says(
		"\n             start    end (exclusive)           size kind\n"
		"                                                 KiB\n"
		"               0x0            0x9f000            636 usable\n"));
	assert_true(says("\n        0x80000000   0x10000000000000  4398044413952 usable\n"));
}

static void ranges_and_their_nodes(void **state)
{
	(void)state;
	make_lab(2, 2, 2 * GIB_PAGES, 2400000000);
	begin();
	assert_record("{'type':'range','start':651264}", "{'end':1048576,'kind':'reserved'}");
	assert_record("{'type':'range','start':2147483648}", "{'end':4294959104,'kind':'usable'}");
	assert_record("{'type':'ram','start':0}", "{'end':2147475456,'node':0}");
	assert_record("{'type':'ram','start':2147483648}", "{'end':4294959104,'node':1}");
}

static void nodes_without_cpus_are_adopted(void **state)
{
	static const char *const nodes = "nodes: 3";

	(void)state;
	make_lab(3, 2, GIB_PAGES, 2400000000);
	lab.topology.cpus[5].online = false;
	lab.topology.nodes[1].adopted = true;
	lab.topology.nodes[1].adopter = 2;
	lab.topology.nodes[2].adopted = true;
	lab.topology.nodes[2].adopter = NODE_NONE;
	lab.topology.orphan_pages = 256;
	begin();
	assert_true(says("1024 KiB of RAM in no SRAT range"));
	assert_string_equal(cell(nodes, "0", "adopted by"), "-");
	assert_string_equal(cell(nodes, "1", "adopted by"), "2");
	assert_string_equal(cell(nodes, "2", "adopted by"), "none");
	assert_true(has_row(nodes, "1 2 2 2 1 1023 2"));
	assert_true(has_row(nodes, "2 4 2 1 1 1023 none"));
	assert_record("{'type':'node','node':0}", "{'adopter':-1}");
	assert_record("{'type':'node','node':1}",
		      "{'pxm':2,'cpus':2,'cpus_online':2,'pages':262142,'adopter':2}");
	assert_record("{'type':'node','node':2}",
		      "{'pxm':4,'cpus':2,'cpus_online':1,'pages':262142,'adopter':-1}");
}

static void cpus_say_what_they_are(void **state)
{
	static const char *const cpus = "each within";

	(void)state;
	make_lab(3, 2, GIB_PAGES, 2400000000);
	lab.topology.cpus[5].online = false;
	lab.topology.cpus[5].apic_id = 0x21;
	lab.topology.cpus[4].tsc_bounded = true;
	lab.topology.cpus[4].tsc_low = -300;
	lab.topology.cpus[4].tsc_high = 20;
	begin();
	assert_true(says("CPUs: 6 enabled, 5 online: packages 3, cores 3, threads 5\n"));
	assert_true(says("missing: CPU 5 (APIC id 0x21, node 2) did not come online\n"));
	assert_false(says("APIC id   node"));
	assert_record("{'type':'cpu','cpu':0}",
		      "{'apic_id':0,'boot':true,'online':true,'arrival_cycles':0}");
	assert_record("{'type':'cpu','cpu':4}",
		      "{'apic_id':4,'node':2,'package':2,'core':2,'thread':0,'boot':false,"
		      "'online':true,'arrival_cycles':20404936,'tsc_low_cycles':-300,"
		      "'tsc_high_cycles':20}");
	assert_record("{'type':'cpu','cpu':5}", "{'apic_id':33,'online':false}");
	assert_unsaid("{'type':'cpu','cpu':5}", "tsc_low_cycles");
	lab.options.verbose = true;
	begin();
	assert_string_equal(cell(cpus, "0", "state"), "boot");
	assert_string_equal(cell(cpus, "4", "state"), "online");
	assert_string_equal(cell(cpus, "4", "core"), "2");
	assert_string_equal(cell(cpus, "5", "state"), "missing");
	assert_string_equal(cell(cpus, "5", "core"), "-");
	assert_string_equal(cell(cpus, "5", "APIC id"), "0x21");
}

/* What the HMAT does not tell of a pair is "-" in the table; a pair without any figure is left
 * out. */
static void links_between_nodes(void **state)
{
	static const char *const links = "bandwidths and latencies";

	(void)state;
	make_lab(2, 2, GIB_PAGES, 2400000000);
	lab.topology.bandwidth[1][0] = (struct hmat_pair){ .read_mbps = 64000 };
	lab.topology.bandwidth[0][1] = (struct hmat_pair){ .read_mbps = 0 };
	begin();
	assert_true(has_row(links, "0 0 128000 - 81 81"));
	assert_true(has_row(links, "1 0 64000 - - -"));
	assert_false(has_row(links, "0 1"));
	assert_int_equal(count("bandwidth"), 3);
	assert_record("{'type':'bandwidth','initiator':1,'target':0}",
		      "{'read_mbps':64000,'write_mbps':0,'read_latency_ns':0,"
		      "'write_latency_ns':0}");
	assert_record("{'type':'distance','from':0,'to':1}", "{'distance':21,'source':'slit'}");
	lab.topology.distance_from_slit = false;
	memset(lab.topology.bandwidth, 0, sizeof(lab.topology.bandwidth));
	begin();
	assert_record("{'type':'distance','from':1,'to':1}", "{'distance':10,'source':'default'}");
	assert_int_equal(count("bandwidth"), 0);
}

static void the_start_of_the_cpus(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	begin();
	assert_record("{'type':'bringup'}",
		      "{'apic_mode':'x2apic','started':4294967295,'arrived':4095,"
		      "'direct_gib_pages':65536}");
}

static void the_memmap_is_not_as_asked_for(void **state)
{
	(void)state;
	make_lab(2, 2, 2 * GIB_PAGES, 2400000000);
	lab.memmap.mapped_pages[VMEMMAP_2M] = 7;
	begin();
	assert_true(has_table("memmap: 1048576 struct pages of 64 bytes, 64.0 MiB"));
	assert_record("{'type':'memmap'}",
		      "{'sections':32,'pages':1048576,'bytes':67108864,'remote_sections':1,"
		      "'place':'local','mapped_4k_pages':0,'mapped_2m_pages':7,"
		      "'mapped_1g_pages':0}");
	assert_true(has_row("placed local", "0 16 524288 32 15 1"));
	assert_true(has_row("placed local", "1 16 524288 32 16 0"));
	assert_false(says("asked for"));
	assert_false(says("bytes of each slot"));
	options_parse("vmemmap=1g page_size=40", false, &experiment_words, &lab.options);
	begin();
	assert_true(has_table("memmap: 1048576 slots of 64 bytes, 64.0 MiB"));
	assert_true(says("\n40 bytes of each slot are used: packed, the first 1280 KiB of "));
	assert_true(says("\n1 GiB asked for, 2 MiB used for 7 of 32 sections\n"));
	lab.memmap.mapped_pages[VMEMMAP_2M] = 0;
	begin();
	assert_false(says("asked for"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_aligned),
		cmocka_unit_test(ranges_and_their_nodes),
		cmocka_unit_test(nodes_without_cpus_are_adopted),
		cmocka_unit_test(cpus_say_what_they_are),
		cmocka_unit_test(links_between_nodes),
		cmocka_unit_test(the_start_of_the_cpus),
		cmocka_unit_test(the_memmap_is_not_as_asked_for),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
