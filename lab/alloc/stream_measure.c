/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/stream_measure.h"

#include "lab/alloc/crew.h"
#include "lab/alloc/stream_socket.h"
#include "lab/alloc/stream_work.h"
#include "lib/stats.h"
#include "lib/string.h"
#include "mm/slab/slab_drain.h"

static void read_counters(const struct stream_state *s, struct stream_counters *c)
{
	struct page_alloc_stats pages = page_allocator_stats(s->input->allocator);
	struct alloc_locks zones = alloc_locks(s->input);
	struct slab_stats slabs = slab_layer_stats(&s->layer);
	struct zone_lock lists = slab_layer_locks(&s->layer);

	*c = (struct stream_counters){
		.page_allocations = pages.allocations,
		.page_frees = pages.frees,
		.hits = pages.hits,
		.refills = pages.refills,
		.drains = pages.drains,
		.zone_acquisitions = zones.acquisitions,
		.zone_contended = zones.contended,
		.zone_wait_cycles = zones.wait_cycles,
		.slab_refills = slabs.refills,
		.new_slabs = slabs.new_slabs,
		.discarded_slabs = slabs.discarded_slabs,
		.flushes = slabs.flushes,
		.list_acquisitions = lists.acquisitions,
		.list_contended = lists.contended,
		.list_wait_cycles = lists.wait_cycles,
	};
}

/* `alone`: the receiver is the sender. */
static void prepare_pair(const struct stream_state *s, struct stream_pair *pair,
			 const uint32_t *cpus, bool alone)
{
	atomic_store_explicit(&pair->sent, 0, memory_order_relaxed);
	atomic_store_explicit(&pair->closed, false, memory_order_relaxed);
	atomic_store_explicit(&pair->charged_bytes, 0, memory_order_relaxed);
	pair->sender_cpu = cpus[0];
	pair->receiver_cpu = cpus[alone ? 0 : 1];
	pair->node = crew_memory_node(s->input->topology, cpus[0]);
	pair->received = pair->damaged = pair->cycles = 0;
	pair->burst_from = pair->burst_tsc = pair->burst_count = 0;
	pair->out_of_memory = pair->timed_out = false;
	memset(pair->sender_user, 0x5a, STREAM_MESSAGE_MAX);
	memset(pair->receiver_user, 0, STREAM_MESSAGE_MAX);
}

static const char *pair_fault(const struct stream_pair *pair)
{
	if (pair->timed_out)
		return "a receiver waited in vain for its sender";
	if (pair->damaged)
		return "messages came out of order or damaged";
	if (pair->received != atomic_load_explicit(&pair->sent, memory_order_relaxed))
		return "messages were lost";
	if (atomic_load_explicit(&pair->charged_bytes, memory_order_relaxed))
		return "the charges of a socket did not come back";
	return NULL;
}

/* The counters go on from one measurement to the next; all are of 64 bits. */
static void subtract(struct stream_counters *counters, const struct stream_counters *before)
{
	uint64_t *to = (uint64_t *)counters;
	const uint64_t *from = (const uint64_t *)before;

	for (uint64_t i = 0; i < sizeof(*counters) / sizeof(*to); i++)
		to[i] -= from[i];
}

/* Thousandths of a cycle per message; 0: too few came. */
static uint64_t median_burst(struct stream_pair *pair)
{
	if (pair->burst_count < STREAM_BURSTS_MIN)
		return 0;
	return mul_div_u64(stats_summary(pair->bursts, pair->burst_count).median, 1000,
			   STREAM_BURST);
}

static const char *sum_up(struct stream_state *s, uint32_t pairs, struct stream_sample *sample)
{
	uint64_t bursts = 0;
	bool all = true;

	for (uint32_t i = 0; i < pairs; i++) {
		const char *fault = pair_fault(&s->pairs[i]);
		uint64_t median = median_burst(&s->pairs[i]);

		if (fault)
			return fault;
		sample->messages += s->pairs[i].received;
		sample->cycles += s->pairs[i].cycles;
		bursts += median;
		all &= median > 0;
		sample->starved += s->pairs[i].out_of_memory;
	}
	sample->burst_millicycles = all ? bursts / pairs : 0;
	return NULL;
}

const char *stream_measure(struct stream_state *s, const struct stream_setting *setting,
			   uint32_t size, struct stream_sample *sample)
{
	const uint32_t *cpus = s->crews[setting->place];
	uint32_t pairs = setting->pairs ? setting->pairs : 1;
	struct stream_counters before;
	const char *fault;

	*sample = (struct stream_sample){ 0 };
	s->message_bytes = stream_sizes[size];
	s->socket = stream_socket(s->message_bytes, setting->queue_bytes);
	for (uint32_t i = 0; i < pairs; i++)
		prepare_pair(s, &s->pairs[i], cpus + 2 * i, !setting->pairs);
	read_counters(s, &before);
	if (!crew_run(s->crew, s->input->machine, cpus, setting->pairs ? 2 * pairs : 1,
		      setting->pairs ? stream_work : stream_work_alone, s))
		return "not all CPUs came in time";
	fault = sum_up(s, pairs, sample);
	read_counters(s, &sample->counters);
	subtract(&sample->counters, &before);
	if (sample->starved)
		*sample = (struct stream_sample){ .starved = sample->starved };
	if (fault)
		return fault;
	if (slab_drain(&s->layer, cpus[0]))
		return "slabs were not empty after all messages had been freed";
	if (atomic_load_explicit(&s->layer.fault_count, memory_order_relaxed))
		return "an object was freed that is none";
	return NULL;
}
