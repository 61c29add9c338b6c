#pragma once
/* What the two measurements share. */
#include "lab/calibrate.h"
#include "lab/timed_run.h"

struct calibrate_state {
	const struct calibrate_input *input;
	struct init_plan *plan; /* policy zone, with all workers */
	struct calibration *result;
	/* the single-core figure in hand */
	uint32_t node;
	uint64_t windows[CALIBRATE_SAMPLES_MAX]; /* first frames */
	uint32_t window_count;
	uint64_t samples[CALIBRATE_SAMPLES_MAX];
	uint32_t sample_count;
	/* the search */
	struct search_node *nodes;     /* per node */
	struct search_worker *workers; /* per CPU; those of a step first */
	uint32_t *cpus;                /* likewise */
	struct barrier *barrier;
	uint64_t overhead_cycles;      /* of a step besides its work */
};

static inline uint64_t calibrate_now(const struct calibrate_state *c)
{
	const struct lab_machine *machine = c->input->init->machine;

	return machine->now(machine->context);
}

/* What a chunk's function is told: to write the node's descriptors with `store`. */
struct chunk_args calibrate_args(const struct calibrate_state *c, uint32_t node, enum store store);

/* ---- lab/calibrate_search.c ----------------------------------------------------------------- */

/* Takes what the search needs from `arena`. */
void calibrate_take_search(struct arena *arena, const struct lab_capacity *capacity,
			   struct calibrate_state *c);

void calibrate_search(struct calibrate_state *c);
