#pragma once
/* The kernel command line: words `key=value`. Nothing here fails: what is not understood is noted
 * with what would have been, and the earlier right value or the default holds. */
#include <stdbool.h>
#include <stdint.h>

enum exit_mode { EXIT_HALT, EXIT_REBOOT, EXIT_QEMU };
/* In the order of their history; mm/policy.h says what each is. */
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
/* mm/store.h says what each is. */
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
enum experiment { EXPERIMENT_INIT, EXPERIMENT_SWEEP, EXPERIMENT_BANDWIDTH, EXPERIMENT_COUNT };
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

/* Whether it is among those that run without a word about policies: the generations. */
bool policy_runs_unasked(enum policy policy);
