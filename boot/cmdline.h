/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/* The kernel command line: words `key=value`. Nothing here fails: what is not understood is noted
 * with what would have been, and the earlier right value or the default holds. */
#include <stdbool.h>
#include <stdint.h>

enum exit_mode { EXIT_HALT, EXIT_REBOOT, EXIT_QEMU };
/* In the order of their history; mm/init/policy.h says what each is. */
enum policy {
	POLICY_SERIAL,
	POLICY_NODE,
	POLICY_KTASK,
	POLICY_PADATA,
	POLICY_ZONE,
	POLICY_LAZY,
	POLICY_ASYNC,
	POLICY_CORES,
	POLICY_HMAT,
	POLICY_CALIBRATED,
	POLICY_AUTO,
	POLICY_COUNT
};
/* mm/init/store.h says what each is. */
enum store {
	STORE_PLAIN,
	STORE_LINUX,
	STORE_TEMPLATE,
	STORE_STOSQ,
	STORE_NTI,
	STORE_NT128,
	STORE_NT256,
	STORE_NT512,
	STORE_V256,
	STORE_V512,
	STORE_MOVDIR64B,
	STORE_CLZERO,
	STORE_COUNT,
	STORE_AUTO = STORE_COUNT
};
enum experiment {
	EXPERIMENT_INIT,
	EXPERIMENT_SWEEP,
	EXPERIMENT_BANDWIDTH,
	EXPERIMENT_PCP,
	EXPERIMENT_FREE,
	EXPERIMENT_COUNT
};
/* Pages kept per CPU, in the order of their history; mm/pcp/page_alloc.h, docs/allocator.md. */
enum pcp {
	PCP_NONE,    /* the zone's lock each time */
	PCP_ORDER0,  /* single pages only */
	PCP_HIGH,    /* orders 0 to 3, as the series of 2016, version 3 */
	PCP_MERGED,  /* as Linux 5.14: also the huge-page order */
	PCP_TRYLOCK, /* as Linux 6.0: the same behind a lock that is only tried */
	PCP_OWNED,   /* our own: a CPU owns whole blocks */
	PCP_COUNT
};
/* How a large mapping is freed; mm/unmap/unmap.h. */
enum free_way { FREE_VANILLA, FREE_BATCH, FREE_PIECES, FREE_OWNED, FREE_COUNT };
enum mapping { MAPPING_4K, MAPPING_2M, MAPPING_COUNT };
/* Workers take chunk after chunk, or are given one each. */
enum split { SPLIT_DYNAMIC, SPLIT_STATIC };
/* Whose memory backs a node's memmap. */
enum place { PLACE_LOCAL, PLACE_REMOTE, PLACE_INTERLEAVE };
/* The pages that map the memmap. */
enum vmemmap { VMEMMAP_4K, VMEMMAP_2M, VMEMMAP_1G };
/* Deliberate faults with which the lab tests itself. */
enum inject {
	INJECT_NONE,
	INJECT_PAGE,   /* one struct page is altered before verification: the oracle must name it */
	INJECT_CHUNK,  /* one chunk is claimed twice: the exactly-once check must name it */
	INJECT_UD,     /* an undefined instruction */
	INJECT_STACK,  /* a stack overflow into the guard page */
	INJECT_CPU,    /* the last CPU gets its start-up message under a wrong id */
	INJECT_CPU_UD, /* an undefined instruction on the last CPU */
	INJECT_PRINT,  /* no fault: all CPUs print at the same time */
	/* Experiments pcp and free: once, a free that must not be, which has to be named */
	INJECT_DOUBLE_FREE,
	INJECT_FREE_RESERVED,
	INJECT_FREE_ORDER,
	INJECT_COUNT
};

enum { CMDLINE_ISSUES = 16, REPEAT_DEFAULT = 5, REPEAT_MAX = 100 };

struct cmdline_issue {
	char word[48];       /* as given, cut */
	const char *allowed; /* what would have been right: keys or values */
	char holds[48];      /* the last right word with that key, cut; "": the default holds */
	bool unknown_key;
};

struct options {
	bool experiment_chosen[EXPERIMENT_COUNT];
	bool policy_chosen[POLICY_COUNT];
	bool pcp_chosen[PCP_COUNT];
	bool free_chosen[FREE_COUNT];
	bool mapping_chosen[MAPPING_COUNT];
	uint32_t size_mib;    /* of the mapping that is freed; 0: three quarters of what is free */
	uint32_t gather;      /* batches that a worker is given at once, 510 pages each; 0: both
			       * published settings run */
	uint32_t max_active;  /* workers that free batches at the same time; 0: likewise */
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
 * most 80 characters; double quotes and backslashes are taken off as GRUB puts them on. The last of
 * several words with one key wins, as long as its value is right. The first word is ignored if it
 * holds no '=' and starts with '/' (a loader's path of the kernel). */
void cmdline_parse(const char *text, struct options *options);

const char *policy_name(enum policy policy);
const char *pcp_name(enum pcp pcp);
const char *free_way_name(enum free_way way);
const char *mapping_name(enum mapping mapping);

/* Whether it is among those that run without a word about policies: the generations. */
bool policy_runs_unasked(enum policy policy);
