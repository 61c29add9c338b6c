/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memmap-schema: prints what the report's records may hold, as one JSON Schema [draft 2020-12],
 * from the same descriptions by which the kernel writes them.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "tools/schema/records.h"

int main(int argc, char **argv)
{
	json_t *schema;
	int status;

	(void)argv;
	if (argc > 1) {
		fputs("usage: memmap-schema\n"
		      "Prints the JSON Schema of the report's records.\n", stderr);
		return 2;
	}
	schema = schema_of_records();
	status = json_dumpf(schema, stdout, JSON_INDENT(1)) || putchar('\n') == EOF;
	json_decref(schema);
	return status ? 1 : 0;
}
