/* SPDX-License-Identifier: GPL-2.0-only */
/* Beginning and end of the report: who booted what, the command line, phases, the verdict. */
#include "experiments/table.h"
#include "lib/string.h"
#include "tests/host/report_rows.h"

static void begin(void)
{
	start();
	report_lab(&report, &sink);
}

/* The first line names the release and the build, and so does the first record. */
static void who_booted_what(void **state)
{
	static const char first[] = "memmap-lab 0.2.0, build 5d2c91aa\n";

	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	lab.facts.image = 0x200000;
	begin();
	assert_memory_equal(output, first, sizeof(first) - 1);
	assert_record("{'type':'run'}",
		      "{'seq':0,'schema':2,'version':'0.2.0','build':'5d2c91aa',"
		      "'protocol':'multiboot2','firmware':'bios','loader':'GRUB 2.06-13+deb12u1',"
		      "'image':2097152,'tsc_hz':2400000000,'tsc_source':'hpet',"
		      "'tsc_invariant':true,'timer_overhead_cycles':38,"
		      "'cmdline':'policy=node,padata verbose=off'}");
	lab.facts.protocol = BOOT_PVH;
	lab.facts.efi = true;
	begin();
	assert_record("{'type':'run'}", "{'protocol':'pvh','firmware':'efi'}");
}

static void phases_and_verdict(void **state)
{
	static const char *const phases = "phases of the boot";

	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	begin();
	assert_string_equal(cell(phases, "memory map", "cycles"), "1500000");
	assert_string_equal(cell(phases, "memory map", "ended at"), "1.125");
	assert_record("{'type':'phase','name':'memory map'}",
		      "{'cycles':1500000,'end_cycles':2700000,'end_tsc':3700000}");
	assert_record("{'type':'verdict'}",
		      "{'verdict':'ok','text':'every struct page is as it must be'}");
	assert_record("{'type':'end'}", "{'verdict':'ok'}");
	assert_int_equal((int)json_number_value(json_object_get(last, "records")), record_count);
	lab.results.verified = false;
	begin();
	assert_record("{'type':'verdict'}", "{'verdict':'fault'}");
	assert_record("{'type':'end'}", "{'verdict':'fault'}");
}

static void the_cpu_is_named(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	begin();
	assert_true(says("CPU: AMD EPYC 7742 64-Core Processor, family 23, model 49, stepping 0; "
			 "L2 512 KiB, L3 unknown;\n    hypervisor KVMKVMKVM\n"));
	assert_record("{'type':'run'}",
		      "{'cpu_model':'AMD EPYC 7742 64-Core Processor','cpu_family':23,"
		      "'cpu_model_number':49,'cpu_stepping':0,'cpu_l2_bytes':524288,"
		      "'cpu_l3_bytes':0,'hypervisor':'KVMKVMKVM'}");
	lab.facts.cpu = (struct cpu_model){ .family = 5, .l3_bytes = 33 << 20 };
	begin();
	assert_true(says("CPU: unnamed, family 5, model 0, stepping 0; L2 unknown, L3 33792 KiB; "
			 "no hypervisor seen\n"));
}

/* As long as a loader can hand one over; the word at its end is what was wanted. */
static void a_long_command_line_is_whole(void **state)
{
	char text[1024] = "", shown[1200] = "";
	const char *at;
	json_t *record;

	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	for (int i = 0; i < 101; i++)
		memcpy(text + i * 10, "repeat=12 ", 10);
	memcpy(text + 1010, "exit=reboot", 12);
	lab.facts.cmdline = text;
	begin();
	record = find_record("{'type':'run'}");
	assert_string_equal(json_string_value(json_object_get(record, "cmdline")), text);
	json_decref(record);
	/* for people: over several lines, the later ones indented */
	at = strstr(output, "command line: ") + strlen("command line: ");
	while (at) {
		strncat(shown, at, strcspn(at, "\n"));
		at = next_line(at);
		at = strncmp(at, "    ", 4) ? NULL : at + 4;
		if (at)
			strcat(shown, " ");
	}
	assert_string_equal(shown, text);
}

/* What loader, user and firmware wrote is shown as text; records keep it by value. */
static void foreign_text_is_never_a_record(void **state)
{
	static const char cmdline[] = "a\n@{\"seq\":0}#00000000\r\n\x1b[2Jb @{ x@ {@@{";
	json_t *record;

	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	lab.facts.cmdline = cmdline;
	lab.facts.loader = "GRUB\n@{}";
	string_copy(lab.facts.cpu.name, "CPU\n@{}", sizeof(lab.facts.cpu.name));
	options_parse("threads=@{ x@{=1", false, &experiment_words, &lab.options);
	begin();
	assert_true(has_table("command line: a??{\"seq\":0}#00000000???[2Jb ?{ x@ {@?{\n"));
	assert_true(has_table("booted by GRUB??{} through"));
	assert_true(has_table("CPU: CPU??{}, family"));
	assert_true(has_table("cmdline: threads=?{: allowed"));
	assert_true(has_table("cmdline: unknown key 'x?{='"));
	record = find_record("{'type':'run'}");
	assert_string_equal(json_string_value(json_object_get(record, "cmdline")), cmdline);
	assert_string_equal(json_string_value(json_object_get(record, "loader")), "GRUB\n@{}");
	json_decref(record);
}

/* A wrong value takes nothing back, and a right one may follow it. */
static void a_wrong_value_leaves_the_right_one(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	options_parse("threads=2 threads=0 split=x split=static repeat=0 verbose verbose=2", false,
		      &experiment_words, &lab.options);
	assert_int_equal(lab.options.threads, 2);
	assert_int_equal(lab.options.split, SPLIT_STATIC);
	assert_int_equal(lab.options.repeat, 5);
	begin();
	assert_true(has_table("cmdline: threads=0: allowed: 1 to 4096; ignored, threads=2 "
			      "holds\n"));
	assert_true(has_table("cmdline: split=x: allowed: dynamic, static; ignored, split=static "
			      "holds\n"));
	assert_true(has_table("cmdline: repeat=0: allowed: 1 to 100; ignored, the default "
			      "holds\n"));
	assert_true(has_table("cmdline: verbose=2: allowed: on, off; ignored, verbose holds\n"));
	assert_int_equal(count("anomaly"), 4);
	assert_record("{'type':'anomaly','word':'threads=0'}",
		      "{'table':'cmdline','offset':0,'reason':'value not allowed','value':0}");
}

/* Those that are kept are told one by one, the rest by their number. */
static void command_line_issues(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	options_parse("foo=1 threads=0 serial=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx bar "
		      "policy=node,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "
		      "a b c d e f g h i j k l m n", false, &experiment_words, &lab.options);
	begin();
	assert_int_equal(count("anomaly"), CMDLINE_ISSUES);
	assert_record("{'type':'anomaly','word':'foo=1'}",
		      "{'table':'cmdline','offset':0,'reason':'unknown key'}");
	assert_record("{'type':'anomaly','word':'bar'}", "{'offset':3,'reason':'unknown key'}");
	assert_record("{'type':'anomaly','offset':2}", "{'reason':'value not allowed'}");
	assert_true(has_table("cmdline: unknown key 'foo='\n"));
	assert_true(has_table("cmdline: unknown key 'bar'\n"));
	assert_true(has_table("cmdline: keys: run, policy, pcp, free, map, size, gather"));
	assert_true(has_table("cmdline: policy=node,xxxxxxxxxx: allowed: serial, node, ktask"));
	assert_true(has_table("cmdline: 3 more words"));
	assert_true(has_table("19 words of the command line"));
	options_parse("foo=1 threads=1", false, &experiment_words, &lab.options);
	begin();
	assert_true(has_table("1 word of the command line"));
	options_parse("threads=1", false, &experiment_words, &lab.options);
	begin();
	assert_int_equal(count("anomaly"), 0);
	assert_false(says("of the command line"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_booted_what),
		cmocka_unit_test(phases_and_verdict),
		cmocka_unit_test(the_cpu_is_named),
		cmocka_unit_test(a_long_command_line_is_whole),
		cmocka_unit_test(foreign_text_is_never_a_record),
		cmocka_unit_test(a_wrong_value_leaves_the_right_one),
		cmocka_unit_test(command_line_issues),
	};

	return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
