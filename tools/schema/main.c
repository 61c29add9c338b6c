/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memmap-schema: prints what the report's records may hold, as one JSON Schema [draft 2020-12],
 * from the descriptions by which the kernel writes them. With --words: what its command line
 * understands.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "tools/schema/records.h"
#include "tools/schema/words.h"

int main(int argc, char **argv)
{
	json_t *json;
	int status;

	if (argc == 1) {
		json = schema_of_records();
	} else if (argc == 2 && !strcmp(argv[1], "--words")) {
		json = words_of_command_line();
	} else {
		fputs("usage: memmap-schema [--words]\n"
		      "Prints the JSON Schema of the report's records, or the words of the\n"
		      "kernel's command line.\n", stderr);
		return 2;
	}
	status = json_dumpf(json, stdout, JSON_INDENT(1)) || putchar('\n') == EOF;
	json_decref(json);
	return status ? 1 : 0;
}
