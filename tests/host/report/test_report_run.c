/* SPDX-License-Identifier: GPL-2.0-only */
/* The beginning of the report: the machine and the command line, whole and in words. */
#include "experiments/table.h"
#include "lib/string.h"
#include "report/run.h"
#include "tests/host/report_capture.h"

static void begin(void)
{
	start();
	report_lab(&report, &sink);
}

static void the_cpu_is_named(void **state)
{
	(void)state;
	make_lab(1, 1, GIB_PAGES, 2400000000);
	begin();
	assert_true(says("CPU: AMD EPYC 7742 64-Core Processor, family 23, model 49, stepping 0; "
			 "L2 512 KiB, L3 unknown;\n    hypervisor KVMKVMKVM\n"));
	assert_true(says("\"cpu_model\":\"AMD EPYC 7742 64-Core Processor\",\"cpu_family\":23,"
			 "\"cpu_model_number\":49,\"cpu_stepping\":0,\"cpu_l2_bytes\":524288,"
			 "\"cpu_l3_bytes\":0,\"hypervisor\":\"KVMKVMKVM\""));
	lab.facts.cpu = (struct cpu_model){ .family = 5, .l3_bytes = 33 << 20 };
	begin();
	assert_true(says("CPU: unnamed, family 5, model 0, stepping 0; L2 unknown, L3 33792 KiB; "
			 "no hypervisor seen\n"));
}

/* As long as a loader can hand one over; the word at its end is what was wanted. */
static void a_long_command_line_is_whole(void **state)
{
	char text[1024] = "";

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cpu_is_named),
		cmocka_unit_test(a_long_command_line_is_whole),
		cmocka_unit_test(foreign_text_is_never_a_record),
		cmocka_unit_test(a_wrong_value_leaves_the_right_one),
	};

	return cmocka_run_group_tests_name("report_run", tests, NULL, NULL);
}
