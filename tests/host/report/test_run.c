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
	char text[1024] = "";
	json_t *run;

	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	for (int i = 0; i < 101; i++)
		memcpy(text + i * 10, "repeat=12 ", 10);
	memcpy(text + 1010, "exit=reboot", 12);
	lab.facts.cmdline = text;
	begin();
	assert_true(says("command line: repeat=12 repeat=12 repeat=12 repeat=12 repeat=12 "
			 "repeat=12 repeat=12 repeat=12\n    repeat=12 "));
	assert_true(says(" repeat=12 exit=reboot\n"));
	run = find_record("{'type':'run'}");
	assert_string_equal(json_string_value(json_object_get(run, "cmdline")), text);
	json_decref(run);
}

/* What loader, user and firmware wrote is shown as text; records keep it by value. */
static void foreign_text_is_never_a_record(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	lab.facts.cmdline = "a\n@{\"seq\":0}#00000000\r\n\x1b[2Jb @{ x@ {@@{";
	lab.facts.loader = "GRUB\n@{}";
	string_copy(lab.facts.cpu.name, "CPU\n@{}", sizeof(lab.facts.cpu.name));
	options_parse("threads=@{ x@{=1", &experiment_words, &lab.options);
	begin();
	assert_true(says("\ncommand line: a??{\"seq\":0}#00000000???[2Jb ?{ x@ {@?{\n"));
	assert_true(says("booted by GRUB??{} through"));
	assert_true(says("\nCPU: CPU??{}, family"));
	assert_true(says("cmdline: threads=?{: allowed"));
	assert_true(says("unknown key 'x?{='"));
	assert_true(says("\"cmdline\":\"a\\u000a@{\\\"seq\\\":0}#00000000\\u000d\\u000a"
			 "\\u001b[2Jb @{"));
}

/* A wrong value takes nothing back, and a right one may follow it. */
static void a_wrong_value_leaves_the_right_one(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	options_parse("threads=2 threads=0 split=x split=static repeat=0 verbose verbose=2",
		      &experiment_words, &lab.options);
	assert_int_equal(lab.options.threads, 2);
	assert_int_equal(lab.options.split, SPLIT_STATIC);
	assert_int_equal(lab.options.repeat, 5);
	begin();
	assert_true(says("cmdline: threads=0: allowed: 1 to 4096; ignored, threads=2 holds\n"));
	assert_true(says("cmdline: split=x: allowed: dynamic, static; ignored, split=static "
			 "holds\n"));
	assert_true(says("cmdline: repeat=0: allowed: 1 to 100; ignored, the default holds\n"));
	assert_true(says("cmdline: verbose=2: allowed: on, off; ignored, verbose holds\n"));
}

static void command_line_issues(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	options_parse("foo=1 threads=0 serial=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx bar "
		      "policy=node,xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "
		      "a b c d e f g h i j k l m n", &experiment_words, &lab.options);
	begin();
	assert_true(says("cmdline: unknown key 'foo='\n"));
	assert_true(says("cmdline: unknown key 'bar'\n"));
	assert_true(says("cmdline: threads=0: allowed: 1 to 4096; ignored, the default holds\n"));
	assert_true(says("none, com1 to com4, or a port in hex (0x2f8); ignored, the\n"
			 "    default holds\n"));
	assert_true(says("cmdline: keys: run, policy, pcp, free, map, size, gather, max_active, "
			 "fragment, threads, core_mbps,\n    chunk, split, place, vmemmap, "
			 "page_size, store, repeat, serial, exit, records, verbose, inject\n"));
	assert_true(says("cmdline: policy=node,xxxxxxxxxx: allowed: serial, node, ktask, padata, "
			 "zone, lazy, async, cores,\n    hmat, calibrated, auto, with commas, or "
			 "all; ignored, the default holds\n"));
	assert_true(says("cmdline: 3 more words were not understood\n"));
	assert_true(says("\n19 words of the command line were not understood, see the top\n\n"
			 "verdict: "));
	assert_int_equal(count("anomaly"), CMDLINE_ISSUES);
	assert_record("{'type':'anomaly','offset':0}",
		      "{'table':'cmdline','reason':'unknown key','value':0,'word':'foo=1'}");
	assert_record("{'type':'anomaly','offset':1}",
		      "{'table':'cmdline','reason':'value not allowed','word':'threads=0'}");
	options_parse("foo=1 threads=1", &experiment_words, &lab.options);
	begin();
	assert_true(says("\n1 word of the command line was not understood, see the top\n"));
	options_parse("threads=1", &experiment_words, &lab.options);
	begin();
	assert_false(says("see the top"));
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
