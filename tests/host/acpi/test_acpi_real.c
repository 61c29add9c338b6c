/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables of real machines against the facts beside them: expected.txt in each folder and
 * madt-corpus/expected.tsv, which two other decoders agreed on. */
#include "acpi/madt.h"
#include "acpi/slit.h"
#include "acpi/srat.h"
#include "tests/host/acpi_build.h"
#include "tests/host/real_tables.h"

enum { LINE_BYTES = 8192 };

/* The table that the lines read last are about, and what our parsers say of it. */
struct subject {
	struct acpi_table table;
	struct anomaly_log notes;
	struct madt_facts madt;
	struct srat_facts srat;
	struct slit_facts slit;
	uint32_t pxm;        /* of the last "pxm" line */
	uint32_t cpu_lines, memory_lines; /* what the lines have named of the SRAT */
	uint64_t slit_row;
};

static struct subject subject;
static uint32_t tables_checked, madts_checked, srats_checked, slits_checked;

static bool is(const char *signature)
{
	return memcmp(subject.table.bytes, signature, 4) == 0;
}

static void parse_subject(void)
{
	struct acpi_tables tables = { 0 };
	bool known = is("APIC") || is("SRAT") || is("SLIT") || is("HMAT") || is("FACP") ||
		     is("HPET") || is("CEDT") || is("MCFG");

	assert_int_equal(acpi_tables_offer(&tables, subject.table.bytes, subject.table.length,
					   &subject.notes), known);
	assert_int_equal(subject.notes.count, 0);
	tables_checked++;
	if (is("APIC")) {
		assert_true(madt_parse(&tables.madt, &subject.madt, &subject.notes));
		assert_int_equal(subject.madt.lapic_address, 0xfee00000);
	}
	if (is("SRAT"))
		assert_true(srat_parse(&tables.srat, &subject.srat, &subject.notes));
	if (is("SLIT"))
		assert_true(slit_parse(&tables.slit, &subject.slit, &subject.notes));
}

/* Nothing may be left over that no line named. */
static void finish_subject(void)
{
	if (!subject.table.bytes)
		return;
	if (is("SRAT")) {
		assert_int_equal(subject.cpu_lines, subject.srat.cpu_count);
		assert_int_equal(subject.memory_lines, subject.srat.memory_count);
		srats_checked++;
	}
	if (is("SLIT")) {
		assert_int_equal(subject.slit_row, subject.slit.localities);
		slits_checked++;
	}
	exact_free(&subject.table);
}

/* "srat.dat: sig=SRAT len=4440 rev=3 checksum=ok" */
static void table_line(const char *folder, const char *line)
{
	char name[128], signature[5];
	unsigned length, revision;

	if (sscanf(line, "%127[^:]: sig=%4s len=%u rev=%u checksum=ok", name, signature, &length,
		   &revision) != 4)
		fail_msg("%s: line not understood: %s", folder, line);
	finish_subject();
	memset(&subject, 0, sizeof(subject));
	subject.table = load_file(folder, name);
	assert_memory_equal(subject.table.bytes, signature, 4);
	assert_int_equal(subject.table.length, length);
	parse_subject();
}

/* "malformed=None", or "malformed=type 0 len 0 at 4424": the walk stops there and says so. */
static void check_malformed(const char *table, const char *line)
{
	const char *text = strstr(line, "malformed=");
	unsigned type, length, offset;

	assert_non_null(text);
	if (sscanf(text, "malformed=type %u len %u at %u", &type, &length, &offset) != 3) {
		assert_non_null(strstr(text, "malformed=None"));
		assert_int_equal(subject.notes.count, 0);
		return;
	}
	assert_int_equal(subject.notes.count, 1);
	assert_true(has_anomaly(&subject.notes, table, offset, "record length below its header's"));
	assert_int_equal(subject.notes.entries[0].value, length);
}

static void check_madt_counts(const struct madt_facts *madt, uint32_t lapics_enabled,
			      uint32_t lapics, uint32_t x2apics_enabled, uint32_t x2apics)
{
	assert_int_equal(madt->lapic_entries, lapics);
	assert_int_equal(madt->x2apic_entries, x2apics);
	assert_int_equal(madt->cpu_count, lapics_enabled + x2apics_enabled);
	assert_int_equal(madt->disabled, lapics + x2apics - madt->cpu_count);
	assert_int_equal(madt->duplicate, 0);
}

/* "MADT: lapic enabled 2/6 x2apic enabled 0/0 ioapic 1 iso 4 other [] malformed=None" */
static void madt_line(const char *line)
{
	unsigned lapics_enabled, lapics, x2apics_enabled, x2apics, ioapics, overrides;

	assert_int_equal(sscanf(line, " MADT: lapic enabled %u/%u x2apic enabled %u/%u"
				" ioapic %u iso %u", &lapics_enabled, &lapics, &x2apics_enabled,
				&x2apics, &ioapics, &overrides), 6);
	check_madt_counts(&subject.madt, lapics_enabled, lapics, x2apics_enabled, x2apics);
	assert_true(subject.madt.other_entries >= ioapics + overrides);
	check_malformed("MADT", line);
	madts_checked++;
}

/* "enabled apic ids in table order: 0,2,a" */
static void apic_ids_line(const char *line)
{
	const char *at = strchr(line, ':');
	uint32_t count = 0;
	char *end;

	for (; at; at = *end == ',' ? end : NULL) {
		assert_true(count < subject.madt.cpu_count);
		assert_int_equal(subject.madt.apic_ids[count], strtoul(at + 1, &end, 16));
		count++;
	}
	assert_int_equal(count, subject.madt.cpu_count);
}

/* "SRAT entries: cpu 192 x2apic 1 mem 32 other 0 malformed=None iasl-agrees=True" */
static void srat_line(const char *line)
{
	unsigned lapics, x2apics, ranges, others;
	const struct srat_facts *srat = &subject.srat;

	assert_int_equal(sscanf(line, " SRAT entries: cpu %u x2apic %u mem %u other %u", &lapics,
				&x2apics, &ranges, &others), 4);
	assert_int_equal(srat->cpu_count + srat->memory_count + srat->disabled,
			 lapics + x2apics + ranges);
	assert_int_equal(srat->other_entries, others);
	check_malformed("SRAT", line);
}

/* The index of the `nth` processor of the domain in table order. */
static uint32_t nth_cpu(uint32_t pxm, uint32_t nth)
{
	for (uint32_t i = 0; i < subject.srat.cpu_count; i++)
		if (subject.srat.cpus[i].pxm == pxm && nth-- == 0)
			return i;
	fail_msg("pxm %u has fewer processors than expected", pxm);
	return 0;
}

/* "pxm 0: 4 cpus apic[0,2,4,6]" */
static void pxm_line(const char *line)
{
	const char *at = strchr(line, '[');
	unsigned count;
	char *end;

	assert_int_equal(sscanf(line, " pxm %u: %u cpus", &subject.pxm, &count), 2);
	for (uint32_t i = 0; i < count; i++, at = end) {
		uint32_t cpu = nth_cpu(subject.pxm, i);

		assert_int_equal(subject.srat.cpus[cpu].apic_id, strtoul(at + 1, &end, 16));
	}
	subject.cpu_lines += count;
}

/* "mem 0x0 len 0xf8000000 (end 0xf7ffffff) hotplug", of the domain named last */
static void memory_line(const char *line)
{
	unsigned long long base, length;
	uint32_t at = 0;

	assert_int_equal(sscanf(line, " mem 0x%llx len 0x%llx", &base, &length), 2);
	while (at < subject.srat.memory_count &&
	       !(subject.srat.memory[at].pxm == subject.pxm &&
		 subject.srat.memory[at].start == base &&
		 subject.srat.memory[at].end == base + length))
		at++;
	assert_true(at < subject.srat.memory_count);
	assert_int_equal(subject.srat.memory[at].hotplug, strstr(line, "hotplug") != NULL);
	assert_int_equal(subject.srat.memory[at].nonvolatile, strstr(line, "nonvolatile") != NULL);
	subject.memory_lines++;
}

/* "SLIT localities 4 (length would allow 4x4)" */
static void slit_line(const char *line)
{
	unsigned localities;

	assert_int_equal(sscanf(line, " SLIT localities %u", &localities), 1);
	assert_int_equal(subject.slit.localities, localities);
	assert_int_equal(subject.notes.count, 0);
}

/* "10 16 16 16", the next row of the matrix */
static void slit_row_line(const char *line)
{
	char *end;

	for (uint32_t to = 0; to < subject.slit.localities; to++, line = end)
		assert_int_equal(slit_distance(&subject.slit, (uint32_t)subject.slit_row, to),
				 strtoul(line, &end, 10));
	subject.slit_row++;
}

static void expected_line(const char *folder, const char *line)
{
	const char *text = line + strspn(line, " ");

	if (text == line)
		table_line(folder, line);
	else if (strncmp(text, "MADT:", 5) == 0)
		madt_line(line);
	else if (strncmp(text, "enabled apic ids", 16) == 0)
		apic_ids_line(line);
	else if (strncmp(text, "disabled lapic", 14) == 0)
		assert_true(subject.madt.disabled > 0);
	else if (strncmp(text, "SRAT entries", 12) == 0)
		srat_line(line);
	else if (strncmp(text, "pxm ", 4) == 0)
		pxm_line(line);
	else if (strncmp(text, "mem ", 4) == 0)
		memory_line(line);
	else if (strncmp(text, "SLIT ", 5) == 0)
		slit_line(line);
	else if (*text >= '0' && *text <= '9')
		slit_row_line(text);
	else
		fail_msg("%s: line not understood: %s", folder, line);
}

static void check_folder(const char *folder)
{
	FILE *file = open_text(folder, "expected.txt");
	char line[LINE_BYTES];

	if (!file)
		return; /* a memory map alone, or no machine at all */
	while (fgets(line, sizeof(line), file)) {
		assert_non_null(strchr(line, '\n'));
		expected_line(folder, line);
	}
	finish_subject();
	fclose(file);
}

static void machines(void **state)
{
	(void)state;
	if (real_data_missing())
		skip();
	for_each_folder(check_folder);
	printf("%u tables of real machines, of them %u MADTs, %u SRATs and %u SLITs with facts\n",
	       tables_checked, madts_checked, srats_checked, slits_checked);
	assert_true(madts_checked > 0 && srats_checked > 0 && slits_checked > 0);
}

/* hwid lapic_enabled lapic_total x2apic_enabled x2apic_total ioapics iso nmi_entries other_types
 * online_capable table_len has_srat machine; other_types is "-" or "255x1" */
static void corpus_line(const char *line)
{
	unsigned lapics_enabled, lapics, x2apics_enabled, x2apics, ioapics, overrides, nmis, length;
	unsigned type, others = 0;
	struct anomaly_log log = { 0 };
	static struct madt_facts facts;
	char id[64], other_types[64], name[80];
	struct acpi_table table;

	assert_int_equal(sscanf(line, "%63s %u %u %u %u %u %u %u %63s %*u %u", id, &lapics_enabled,
				&lapics, &x2apics_enabled, &x2apics, &ioapics, &overrides, &nmis,
				other_types, &length), 10);
	if (strcmp(other_types, "-") != 0)
		assert_int_equal(sscanf(other_types, "%ux%u", &type, &others), 2);
	snprintf(name, sizeof(name), "%s.dat", id);
	table = load_file("madt-corpus", name);
	assert_int_equal(table.length, length);
	assert_true(madt_parse(&table, &facts, &log));
	check_madt_counts(&facts, lapics_enabled, lapics, x2apics_enabled, x2apics);
	assert_int_equal(facts.other_entries, ioapics + overrides + nmis + others);
	assert_int_equal(log.count, 0);
	exact_free(&table);
}

static void madt_corpus(void **state)
{
	char line[LINE_BYTES];
	uint32_t count = 0;
	FILE *file;

	(void)state;
	if (real_data_missing())
		skip();
	file = open_text("madt-corpus", "expected.tsv");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (line[0] != '#') {
			corpus_line(line);
			count++;
		}
	fclose(file);
	printf("%u MADTs of the corpus checked against their facts\n", count);
	assert_true(count > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines),
		cmocka_unit_test(madt_corpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
