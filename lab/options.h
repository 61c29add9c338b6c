/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* What the command line asked for: words `key=value`. Nothing here fails: what is not understood is
 * noted with what would have been, and the earlier right value or the default holds. */
#include <stdbool.h>
#include <stdint.h>

#include "lab/experiment_id.h"
#include "lab/inject_words.h"
#include "lab/option_keys.h"
#include "mm/init/plan.h"
#include "mm/init/policy.h"
#include "mm/init/store.h"
#include "mm/machine/memmap.h"
#include "mm/pcp/page_alloc.h"
#include "mm/unmap/unmap.h"

enum exit_mode { EXIT_HALT, EXIT_REBOOT, EXIT_QEMU };

enum { CMDLINE_ISSUES = 16, REPEAT_MAX = 100, EXIT_MODES = EXIT_QEMU + 1 };

struct cmdline_issue {
	char word[48];  /* as given, cut */
	bool cut;       /* at the end of the text: not looked at */
	const struct option_key *key; /* whose value is not allowed; NULL: there is no such key */
	char holds[48]; /* the last right word with that key, cut; "": the default holds */
};

struct options {
	const struct word_list *experiments; /* as given to options_parse, by enum experiment_id */
	bool experiment_chosen[EXPERIMENT_COUNT];
	bool policy_chosen[POLICY_COUNT];
	bool pcp_chosen[PCP_COUNT];
	bool free_chosen[FREE_COUNT];
	bool mapping_chosen[MAPPING_COUNT];
	uint32_t size_mib;    /* of the mapping that is freed; 0: three quarters of what is free */
	uint32_t gather;      /* batches that a worker is given at once, 510 pages each; 0: both
			       * published settings run */
	uint32_t max_active;  /* workers that free batches at the same time; 0: as with `gather` */
	uint32_t fragment;    /* percent of the mapped pages that lie elsewhere than in sequence */
	enum split split;
	enum place place;
	enum vmemmap vmemmap;
	enum store store;     /* a wish: not every CPU has every one */
	bool store_given;     /* by the user */
	uint32_t page_size;   /* bytes per descriptor: 64, 56, 40, 32, 16, 8 */
	uint32_t threads;     /* workers per node; 0: the policy decides */
	uint32_t core_mbps;   /* what one core writes, for policy hmat; 0: it is measured */
	uint32_t chunk_mib;   /* MiB of RAM per chunk; 0: the policy decides */
	uint32_t repeat;      /* 1 to REPEAT_MAX */
	uint16_t serial_port; /* I/O port; 0: no serial console */
	enum exit_mode exit;
	enum inject inject;
	bool records;
	bool verbose;
	struct cmdline_issue issues[CMDLINE_ISSUES];
	uint32_t issue_count; /* may be larger than what `issues` holds */
};

/* Parses NUL-terminated `text` into `options`, which is first set to the defaults. Words are at
 * most WORD_MAX characters (boot/cmdline_words.h); double quotes and backslashes are taken off as
 * GRUB puts them on. The last of several words with one key wins, as long as its value is right.
 * The first word is ignored if it holds no '=' and starts with '/' (a loader's path of the kernel).
 * Of text that was `cut` the last word, where no blank stands behind it, does not count.
 * `experiments` are the words of key `run`, one for each of enum experiment_id. */
void options_parse(const char *text, bool cut, const struct word_list *experiments,
		   struct options *options);

/* What would have been right, for a person. */
void options_allowed(const struct options *options, const struct cmdline_issue *issue,
		     char text[OPTION_TEXT]);
