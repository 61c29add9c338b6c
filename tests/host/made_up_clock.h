/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once
/*
 * A clock for the calibration that says what a machine of known speed would need, whatever the host
 * does: a page takes `page_cycles` on one CPU, `speed` says how many times as fast so many workers
 * of a node are together, in thousandths, and waking costs `wake_cycles` for each CPU.
 *
 * The boot CPU's clock stands still but for what it waits for. In the figure it goes on when a part
 * has been written. A worker's is read once in a step, in the end.
 */
#include "lab/workers/calibration_parts.h"
#include "tests/host/fake_machine.h"

enum made_up_kind { KIND_FIGURE, KIND_TOUCH, KIND_MEET, KIND_STEP };

struct made_up {
	uint64_t now, page_cycles, wake_cycles;
	uint64_t first_touch_cycles; /* more, the first time that a sample is written */
	uint32_t (*speed)(uint32_t node, uint32_t workers);
	uint64_t step_factor;        /* steps take so many times as long; 0 counts as 1 */
	bool touches;                /* after the figures comes KIND_TOUCH, then KIND_MEET */
	/* the call in hand */
	void (*functions[4])(void *argument, uint32_t index);
	enum made_up_kind kind;
	struct calibrate_state *state;
	uint32_t steps, figures;
};

static struct made_up made_up;
static __thread uint32_t made_up_index, made_up_readings;
static __thread bool made_up_worker;

/* A part is written when its first frame no longer looks as it was left here. */
static inline uint64_t figure_clock(void)
{
	static bool seen[CALIBRATE_SAMPLES_MAX];
	bool begins = made_up_readings++ == 0;

	for (uint32_t i = 0; i < made_up.state->window_count; i++) {
		uint64_t pfn = made_up.state->windows[i];
		const struct lab_input *input = made_up.state->input->init;
		uint64_t *word = (void *)&input->memmap->base[pfn - pfn % SECTION_PAGES];

		word += pfn % SECTION_PAGES * input->options->page_size / sizeof(*word);
		if (!begins && *word != UINT64_MAX) {
			made_up.now += made_up.state->window_pages * made_up.page_cycles +
				       (seen[i] ? 0 : made_up.first_touch_cycles);
			seen[i] = true;
		}
		seen[i] &= !begins;
		*word = UINT64_MAX;
	}
	return made_up.now;
}

static inline uint64_t step_cycles(uint32_t node)
{
	const struct search_node *s = &made_up.state->nodes[node];

	return s->pages * made_up.page_cycles * 1000 / made_up.speed(node, s->workers) *
	       (made_up.step_factor ? made_up.step_factor : 1);
}

static inline uint64_t made_up_clock(void *context)
{
	const struct search_worker *worker;

	(void)context;
	if (!made_up_worker)
		return made_up.now;
	if (made_up.kind == KIND_FIGURE)
		return figure_clock();
	worker = &made_up.state->workers[made_up_index];
	return worker->go_tsc + step_cycles(worker->node);
}

static inline void made_up_main(void *argument, uint32_t index)
{
	made_up_worker = true;
	made_up_index = index;
	made_up_readings = 0;
	made_up.functions[made_up.kind](argument, index);
}

/* The figures come first, then touching, the meeting, the steps: each has a function of its own. */
static inline void find_kind(void (*function)(void *argument, uint32_t index))
{
	if (made_up.functions[made_up.kind] && made_up.functions[made_up.kind] != function)
		made_up.kind++;
	if (made_up.kind == KIND_TOUCH && !made_up.touches)
		made_up.kind++;
	made_up.functions[made_up.kind] = function;
}

static inline void made_up_run(void *context, const uint32_t *cpus, uint32_t count,
			       void (*function)(void *argument, uint32_t index), void *argument)
{
	uint64_t longest = 0;

	find_kind(function);
	made_up.state = argument;
	made_up.steps += made_up.kind == KIND_STEP;
	made_up.figures += made_up.kind == KIND_FIGURE;
	machine_run(context, cpus, count, made_up_main, argument);
	if (made_up.kind == KIND_STEP)
		for (uint32_t i = 0; i < count; i++) {
			uint64_t cycles = step_cycles(made_up.state->workers[i].node);

			longest = cycles > longest ? cycles : longest;
		}
	made_up.now += count * made_up.wake_cycles + longest;
}

static inline uint32_t linear(uint32_t node, uint32_t workers)
{
	(void)node;
	return workers * 1000;
}

static inline void use_made_up_clock(struct world *w)
{
	made_up = (struct made_up){ .now = 1, .page_cycles = 80, .wake_cycles = 100,
				    .speed = linear };
	w->machine.now = made_up_clock;
	w->machine.run = made_up_run;
}
