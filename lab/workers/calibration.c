/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/workers/calibration.h"

#include "lab/run/begin.h"
#include "lab/run/memory.h"
#include "lab/workers/calibration_parts.h"
#include "lab/workers/calibration_search.h"
#include "lib/minmax.h"
#include "lib/page_units.h"
#include "mm/init/chunk_sized.h"
#include "mm/init/plan_pieces.h"
#include "mm/machine/topology_count.h"

enum { SAMPLES_MIN = 5, MS_PER_S = 1000, BYTES_PER_MB = 1000000 };

struct chunk_args calibrate_args(const struct calibrate_state *c, uint32_t node, enum store store)
{
	const struct lab_input *input = c->input->init;

	return (struct chunk_args){
		.buddy = input->buddy,
		.plan = c->plan,
		.node = node,
		.store = store,
		.count_managed = true,
		.descriptor_bytes = input->options->page_size,
		.descriptors = (uint8_t *)input->memmap->base,
	};
}

/* ---- the single-core figure ----------------------------------------------------------------- */

/* The first parts of the node's deferred frames that are whole. */
static void find_windows(struct calibrate_state *c)
{
	struct init_pieces pieces = init_pieces_in(c->plan, c->node, 0, UINT64_MAX);

	c->window_count = 0;
	while (init_pieces_next(&pieces))
		for (uint64_t pfn = pieces.start_pfn;
		     pieces.end_pfn - pfn >= CALIBRATE_SAMPLE_PAGES;
		     pfn += CALIBRATE_SAMPLE_PAGES) {
			if (c->window_count == CALIBRATE_SAMPLES_MAX)
				return;
			c->windows[c->window_count++] = pfn;
		}
}

static uint64_t time_window(struct calibrate_state *c, struct chunk_args *args, uint32_t index)
{
	uint64_t pfn = c->windows[index % c->window_count], end = pfn + c->window_pages;
	uint64_t start = calibrate_now(c);

	if (args->descriptor_bytes == sizeof(struct page))
		chunk_init(args, pfn, end);
	else
		chunk_init_sized(args, pfn, end);
	return calibrate_now(c) - start;
}

/* How large a sample is, by the time that little takes. False: even that is too much. */
static bool choose_window(struct calibrate_state *c, struct chunk_args *args, uint64_t time)
{
	uint64_t cycles;

	c->window_pages = CALIBRATE_SLOW_PAGES;
	cycles = time_window(c, args, 0);
	if (cycles > time)
		return false;
	if (cycles <= time / (CALIBRATE_SAMPLE_PAGES / CALIBRATE_SLOW_PAGES))
		c->window_pages = CALIBRATE_SAMPLE_PAGES;
	return true;
}

/* Times windows, at most `most` of them, as long as another one fits into the time; at least one.
 * Returns how many, their sum in *sum. */
static uint32_t time_windows(struct calibrate_state *c, struct chunk_args *args, uint32_t most,
			     uint64_t time, uint64_t *sum)
{
	uint64_t start = calibrate_now(c), longest = 0;
	uint32_t count = 0;

	*sum = 0;
	while (count < most && (!count || calibrate_now(c) - start + longest <= time)) {
		uint64_t cycles = time_window(c, args, count);

		c->samples[count++] = cycles;
		*sum += cycles;
		longest = max_u64(cycles, longest);
	}
	return count;
}

/* Half of the time is for touching the frames first, which takes
 * long where a hypervisor has yet to find memory for them; what was not touched is not measured. */
static void measure_core(struct calibrate_state *c)
{
	struct calibrated_node *result = &c->result->nodes[c->node];
	struct chunk_args args = calibrate_args(c, c->node, c->input->init->stores.alone);
	uint64_t time = c->input->tsc_hz / MS_PER_S * CALIBRATE_CORE_MS / 2;
	uint64_t first_sum, sum;
	uint32_t touched;

	c->sample_count = 0;
	if (!choose_window(c, &args, time / 2))
		return;
	touched = time_windows(c, &args, c->window_count, time, &first_sum);
	c->window_count = touched;
	if (touched < SAMPLES_MIN)
		touched = SAMPLES_MIN;
	c->sample_count = time_windows(c, &args, touched, time, &sum);
	result->sample_pages = c->window_pages;
	result->touch_first = mul_div_u64(first_sum, 2, c->window_count) >
			      mul_div_u64(sum, 3, c->sample_count);
}

/* On the CPU whose figure it is. */
static void core_main(void *argument, uint32_t index)
{
	struct calibrate_state *c = argument;
	uint64_t start = calibrate_now(c);

	(void)index;
	measure_core(c);
	c->busy_cycles = calibrate_now(c) - start;
}

static uint32_t first_online(const struct topology *topology, uint32_t node)
{
	for (uint32_t i = 0; i < topology->cpu_count; i++)
		if (topology->cpus[i].online && topology->cpus[i].node == node)
			return i;
	return CPU_MAX;
}

static uint32_t mbps_of(const struct calibrate_state *c, uint64_t pages, uint64_t cycles)
{
	uint64_t bytes = pages * c->input->init->options->page_size;
	uint64_t mbps = cycles ? mul_div_u64(bytes, c->input->tsc_hz, cycles) / BYTES_PER_MB : 0;

	return mbps < UINT32_MAX ? (uint32_t)mbps : UINT32_MAX;
}

static void find_core_figure(struct calibrate_state *c, uint32_t node, uint32_t server)
{
	const struct lab_input *input = c->input->init;
	struct calibrated_node *result = &c->result->nodes[node];
	uint64_t start = calibrate_now(c);

	c->node = node;
	find_windows(c);
	if (!c->window_count) {
		result->reason = "no 64 MiB in one piece are deferred";
		return;
	}
	result->cpu = first_online(input->topology, server);
	input->machine->run(input->machine->context, &result->cpu, 1, core_main, c);
	result->core_cycles = calibrate_now(c) - start;
	if (cycles_between(c->busy_cycles, result->core_cycles) > c->wake_cycles)
		c->wake_cycles = cycles_between(c->busy_cycles, result->core_cycles);
	result->sample = stats_summary(c->samples, c->sample_count);
	if (!c->sample_count)
		result->reason = "the CPU is so slow that one sample takes too long";
	c->result->core_mbps[node] = mbps_of(c, result->sample_pages, result->sample.median);
}

static void find_core_figures(struct calibrate_state *c)
{
	const struct topology *topology = c->input->init->topology;
	uint16_t online[NODE_MAX];

	topology_count_online(topology, online);
	for (uint32_t node = 0; node < topology->node_count; node++) {
		uint32_t server = worker_server(topology, online, node);

		if (!topology->nodes[node].pages)
			c->result->nodes[node].reason = "no RAM";
		else if (!c->plan->nodes[node].deferred_pages)
			c->result->nodes[node].reason = "nothing is deferred";
		else
			find_core_figure(c, node, server);
	}
}

/* ---- all of it ------------------------------------------------------------------------------ */

static struct calibrate_state *lay_out(struct arena *arena, const struct lab_input *input,
				       uint32_t extra_reserved)
{
	struct lab_needs needs = { 0, 1, false };
	struct calibrate_state state = { 0 }, *place;
	struct lab_capacity c;

	lab_capacity(input, extra_reserved, &needs, &c);
	place = arena_take(arena, 1, sizeof(*place));
	state.plan = lab_take_plan(arena, &c);
	calibrate_take_search(arena, &c, &state);
	if (!arena_fits(arena))
		return NULL;
	*place = state;
	return place;
}

uint64_t calibrate_bytes(const struct lab_input *input, uint32_t extra_reserved)
{
	struct arena arena = { 0 };

	lay_out(&arena, input, extra_reserved);
	return arena.used;
}

bool calibrate_run(const struct calibrate_input *input, void *memory, uint64_t bytes,
	       struct calibration *calibration)
{
	const struct lab_input *init = input->init;
	struct arena arena = { .memory = memory, .bytes = bytes };
	struct calibrate_state *c = lay_out(&arena, init, 0);
	struct init_rules rules = { .policy = POLICY_ZONE, .cores_first = true };

	*calibration = (struct calibration){ 0 };
	if (!c || !lab_most_online(init->topology))
		return false;
	c->input = input;
	c->result = calibration;
	if (!init_plan_build(c->plan, init->topology, init->memmap, init->reserved, &rules))
		return false;
	find_core_figures(c);
	if (input->search)
		calibrate_search(c);
	return true;
}
