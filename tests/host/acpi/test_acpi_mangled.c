/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of real machines, cut at every byte, with every length in their records, and with
 * random bytes changed. */
#include "tests/host/acpi_mangle.h"
#include "tests/host/real_tables.h"

static const struct kind {
	char signature[5];
	uint32_t first, length_at; /* of its records; first is 0 where there are none */
	parse_check *check;
} kinds[] = {
	{ "APIC", 44, 1, mangle_madt },
	{ "SRAT", 48, 1, mangle_srat },
	{ "SLIT", 0, 0, mangle_slit },
	{ "HMAT", 40, 4, mangle_hmat },
};

static uint32_t tables_mangled;

static void mangle_table(const struct acpi_table *table)
{
	for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct kind *kind = &kinds[i];

		if (memcmp(table->bytes, kind->signature, 4) != 0)
			continue;
		each_truncation(table->bytes, table->length, kind->check);
		if (kind->first)
			each_length_byte(table->bytes, table->length, kind->first, kind->length_at,
					 kind->check);
		random_bytes(table->bytes, table->length, 100, kind->check);
		tables_mangled++;
	}
}

static void mangle_folder(const char *folder)
{
	char path[1024];
	const struct dirent *entry;
	DIR *files;

	snprintf(path, sizeof(path), "%s/%s", real_data_folder(), folder);
	files = opendir(path);
	assert_non_null(files);
	while ((entry = readdir(files))) {
		struct acpi_table table;

		if (!strstr(entry->d_name, ".dat"))
			continue;
		table = load_file(folder, entry->d_name);
		mangle_table(&table);
		exact_free(&table);
	}
	closedir(files);
}

static void every_table(void **state)
{
	(void)state;
	if (real_data_missing())
		skip();
	for_each_folder(mangle_folder);
	printf("%u tables of real machines mangled\n", tables_mangled);
	assert_true(tables_mangled > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
