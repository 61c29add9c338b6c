/* SPDX-License-Identifier: GPL-2.0-only */
/* The workload `stream`: sizes of sockets, messages between threads, faults, figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <pthread.h>

#include "lab/alloc/pages_check.h"
#include "lab/alloc/stream_settings.h"
#include "lab/alloc/stream_socket.h"
#include "lab/alloc/stream_state.h"
#include "lab/alloc/stream_work.h"
#include "mm/slab/slab_drain.h"
#include "tests/host/alloc_world.h"

static struct alloc_world a;
static struct stream_results r;
static uint8_t *ram;
static size_t ram_bytes;

static const struct stream_choice choice = { .queue_bytes = { 0, 100000 },
					     .queue_count = 2,
					     .pairs_max = CPU_MAX,
					     .slice_us = 100,
					     .total_ms = 100000,
					     .whole = true };

static void open_machine(struct world *w, uint64_t sections)
{
	alloc_world_open(&a, w);
	ram_bytes = sections * SECTION_PAGES * PAGE_BYTES;
	ram = mmap(NULL, ram_bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	a.input.base = ram;
	w->machine.timeout_cycles = 1ull << 33;
}

static void close_machine(void)
{
	munmap(ram, ram_bytes);
	alloc_world_close(&a);
}

static bool run_choice(const struct stream_choice *chosen)
{
	alloc_world_memory(&a, stream_bytes(&a.input));
	return stream_run_chosen(&a.input, chosen, a.memory, a.bytes, &r);
}

static bool run_messages(void)
{
	return run_choice(&choice);
}

static void choose_ways(enum pcp one, enum pcp other)
{
	memset(a.w->options.pcp_chosen, 0, sizeof(a.w->options.pcp_chosen));
	a.w->options.pcp_chosen[one] = true;
	a.w->options.pcp_chosen[other] = true;
}

/* ---- sockets -------------------------------------------------------------------------------- */

/* Message and 59 bytes of headers in cache lines, 320 bytes of skb_shared_info; the charge is what
 * kmalloc gives and 256; the limit is twice what was asked for, at least 2304. */
static void sockets_by_hand(void **state)
{
	static const struct stream_socket expected[STREAM_SIZES] = {
		{ 448, 512, 768, 2304, 3 },	   { 512, 512, 768, 2304, 3 },
		{ 640, 1024, 1280, 2304, 2 },	   { 1408, 2048, 2304, 2560, 2 },
		{ 2432, 4096, 4352, 4608, 2 },	   { 3712, 4096, 4352, 7136, 2 },
		{ 4480, 8192, 8448, 8704, 2 },	   { 8576, 16384, 16640, 16896, 2 },
		{ 16768, 32768, 33024, 33280, 2 },
	};

	(void)state;
	for (int i = 0; i < STREAM_SIZES; i++) {
		struct stream_socket s = stream_socket(stream_sizes[i], 0);

		assert_int_equal(s.asked_bytes, expected[i].asked_bytes);
		assert_int_equal(s.usable_bytes, expected[i].usable_bytes);
		assert_int_equal(s.truesize_bytes, expected[i].truesize_bytes);
		assert_int_equal(s.limit_bytes, expected[i].limit_bytes);
		assert_int_equal(s.in_flight, expected[i].in_flight);
	}
	assert_int_equal(stream_socket(64, 851968).limit_bytes, 1703936);
	assert_int_equal(stream_socket(64, 851968).in_flight, 2219);
	assert_int_equal(stream_socket(64, 1).limit_bytes, 2304);
	assert_int_equal(stream_socket(64, 1ull << 40).in_flight, STREAM_RING_SLOTS);
	assert_int_equal(stream_socket(64, 1ull << 40).limit_bytes, STREAM_RING_SLOTS * 768);
}

/* ---- whole runs ----------------------------------------------------------------------------- */

static void assert_counters(const struct stream_sample *sample, uint32_t way, uint32_t size)
{
	const struct stream_counters *c = &sample->counters;

	assert_true(c->page_allocations >= c->page_frees);
	assert_true(c->page_allocations >= c->new_slabs);
	if (stream_sizes[size] >= 8192) /* blocks of pages, one per message */
		assert_true(c->page_frees >= sample->messages);
	if (r.ways[way] == PCP_NONE)
		assert_true(c->zone_acquisitions >= c->page_allocations + c->page_frees);
}

static void assert_samples(void)
{
	for (uint32_t setting = 0; setting < r.setting_count; setting++)
		for (uint32_t way = 0; way < r.way_count; way++)
			for (uint32_t size = 0; size < STREAM_SIZES; size++)
				for (uint32_t i = 0; i < r.repeat; i++) {
					const struct stream_sample *sample =
						stream_sample(&r, setting, way, size, i);

					assert_true(sample->messages && sample->cycles);
					assert_counters(sample, way, size);
				}
}

static void assert_setting(uint32_t i, enum crew_place place, uint32_t pairs, uint64_t queue)
{
	assert_int_equal(r.settings[i].place, place);
	assert_int_equal(r.settings[i].pairs, pairs);
	assert_int_equal(r.settings[i].queue_bytes, queue);
}

static void every_way(void **state)
{
	struct stream_choice one = choice;

	(void)state;
	one.queue_count = 1;
	open_machine(alloc_small_machine(), 2);
	a.w->topology.cpus[0].online = false; /* leaves one place: node 1 */
	assert_true(run_choice(&one));
	if (r.fault)
		fail_msg("%s", r.fault);
	assert_int_equal(r.ways[0], PCP_ORDER0);
	assert_int_equal(r.way_count, PCP_COUNT);
	assert_int_equal(r.repeat, STREAM_REPEAT_MIN);
	assert_int_equal(r.setting_count, 2);
	assert_setting(0, CREW_NODE, 1, 0);
	assert_setting(1, CREW_NODE, 0, 0);
	assert_int_equal(r.runs, 2 * PCP_COUNT * (STREAM_REPEAT_MIN + 1));
	assert_samples();
	assert_null(pages_state_fault(&a.input, &a.before));
	close_machine();
}

static void both_places_and_queues(void **state)
{
	(void)state;
	open_machine(alloc_small_machine(), 2);
	choose_ways(PCP_ORDER0, PCP_ORDER0);
	assert_true(run_messages());
	assert_null(r.fault);
	assert_int_equal(r.way_count, 1);
	assert_int_equal(r.setting_count, 5);
	assert_setting(0, CREW_NODE, 1, 0);
	assert_setting(1, CREW_NODE, 1, 100000);
	assert_setting(2, CREW_NODE, 0, 0);
	assert_setting(3, CREW_ACROSS, 1, 0);
	assert_setting(4, CREW_ACROSS, 1, 100000);
	assert_samples();
	close_machine();
}

/* Four CPUs on one node: one pair, then both. */
static void several_pairs(void **state)
{
	struct world *w = world_new();

	(void)state;
	fake_ram(&w->topology, 0, SECTION_PAGES, 0);
	add_cpus(w, 0, 4);
	world_populate(w, 1);
	open_machine(w, 1);
	choose_ways(PCP_ORDER0, PCP_ORDER0);
	assert_true(run_messages());
	assert_null(r.fault);
	assert_int_equal(r.setting_count, 4);
	assert_setting(0, CREW_NODE, 1, 0);
	assert_setting(1, CREW_NODE, 1, 100000);
	assert_setting(2, CREW_NODE, 0, 0);
	assert_setting(3, CREW_NODE, 2, 0);
	assert_samples();
	close_machine();
}

/* One CPU sends until the socket takes no more, then receives all: whole fillings. */
static void one_cpu_keeps_to_the_limit(void **state)
{
	struct world *w = world_new();

	(void)state;
	fake_ram(&w->topology, 0, SECTION_PAGES, 0);
	add_cpus(w, 0, 1);
	world_populate(w, 1);
	open_machine(w, 1);
	choose_ways(PCP_MERGED, PCP_MERGED);
	assert_true(run_messages());
	assert_null(r.fault);
	assert_int_equal(r.setting_count, 2);
	assert_setting(0, CREW_NODE, 0, 0);
	assert_int_equal(r.way_count, 2);
	assert_int_equal(r.ways[0], PCP_ORDER0);
	assert_samples();
	for (uint32_t setting = 0; setting < 2; setting++)
		for (uint32_t size = 0; size < STREAM_SIZES; size++) {
			uint64_t queue = setting ? 100000 : 0;

			assert_int_equal(stream_sample(&r, setting, 0, size, 0)->messages %
						 stream_socket(stream_sizes[size], queue).in_flight,
					 0);
		}
	close_machine();
}

/* After the first setting. */
static void time_that_is_over(void **state)
{
	struct stream_choice hasty = choice;

	(void)state;
	hasty.total_ms = 0;
	open_machine(alloc_small_machine(), 2);
	choose_ways(PCP_ORDER0, PCP_ORDER0);
	assert_true(run_choice(&hasty));
	assert_null(r.fault);
	assert_int_equal(r.setting_count, 1);
	assert_int_equal(r.left_out, 4);
	assert_int_equal(r.settings[0].repetitions, STREAM_REPEAT_MIN);
	assert_setting(1, CREW_NODE, 1, 100000); /* still told */
	assert_int_equal(r.settings[1].repetitions, 0);
	assert_int_equal(r.runs, STREAM_REPEAT_MIN + 1);
	assert_samples();
	close_machine();
}

/* A clock so slow that a slice is over at the first look at it: no burst ends. */
static void settings_without_figures(void **state)
{
	struct stream_choice impatient = choice;

	(void)state;
	impatient.queue_count = 1;
	impatient.impatient = true;
	open_machine(alloc_small_machine(), 2);
	a.input.tsc_hz = 1000;
	choose_ways(PCP_ORDER0, PCP_HIGH);
	impatient.total_ms = UINT32_MAX;
	assert_true(run_choice(&impatient));
	assert_null(r.fault);
	assert_int_equal(r.setting_count, 3);
	assert_int_equal(r.left_out, 0);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(r.settings[i].repetitions, 1);
	assert_int_equal(r.runs, 3 * 2 * 2);
	impatient.impatient = false;
	assert_true(run_choice(&impatient));
	assert_int_equal(r.settings[0].repetitions, STREAM_REPEAT_MIN);
	assert_int_equal(r.runs, 3 * 2 * (STREAM_REPEAT_MIN + 1));
	close_machine();
}

/* Half of what is left is a setting's, shared by its slices; none is longer than 20 usual ones, and
 * the first turn is not prolonged. */
static void time_of_slices(void **state)
{
	struct stream_results shares = { .way_count = 1, .repeat = 1, .setting_count = 2 };
	struct stream_state clock = { .input = &a.input, .results = &shares };
	struct stream_choice second = { .slice_us = 10000, .total_ms = 1000 };

	(void)state;
	open_machine(alloc_small_machine(), 2);
	a.input.tsc_hz = 1ull << 50;
	clock.choice = &second;
	clock.start_tsc = alloc_now(&a.input);
	stream_share_time(&clock);
	assert_int_equal(shares.slice_us, 10000); /* 36 slices in a second: the most that is */
	assert_true(stream_has_time(&clock));
	stream_begin_setting(&clock);
	assert_int_equal(stream_longest_slice(&clock, false), clock.slice_cycles);
	/* 1.5 s by 17 slices: 88 ms of 200 */
	assert_int_equal(stream_longest_slice(&clock, true) * 10 / clock.slice_cycles, 88);
	clock.slices_left = 1;
	assert_int_equal(stream_longest_slice(&clock, true), 20 * clock.slice_cycles);
	clock.end_tsc = alloc_now(&a.input) + 18 * clock.slice_cycles - clock.slice_cycles;
	assert_false(stream_has_time(&clock));
	stream_begin_setting(&clock);
	assert_int_equal(stream_longest_slice(&clock, true), clock.slice_cycles);
	close_machine();
}

/* ---- faults --------------------------------------------------------------------------------- */

static void needs_its_memory(void **state)
{
	(void)state;
	open_machine(alloc_small_machine(), 2);
	alloc_world_memory(&a, stream_bytes(&a.input));
	assert_false(stream_run(&a.input, a.memory, a.bytes - 64, &r));
	for (uint32_t cpu = 0; cpu < a.w->topology.cpu_count; cpu++)
		a.w->topology.cpus[cpu].online = false;
	assert_false(stream_run(&a.input, a.memory, a.bytes, &r));
	close_machine();
}

static void a_cpu_that_does_not_come(void **state)
{
	(void)state;
	open_machine(alloc_small_machine(), 2);
	choose_ways(PCP_NONE, PCP_HIGH);
	a.w->machine.timeout_cycles = 1 << 30;
	/* at the first size of the second turn */
	a.w->lost_call = a.w->run_calls + 3 * STREAM_SIZES + 1;
	assert_true(run_messages());
	assert_string_equal(r.fault, "not all CPUs came in time");
	assert_int_equal(r.fault_way, PCP_NONE);
	assert_int_equal(r.fault_setting, 0);
	assert_int_equal(r.runs, 4);
	close_machine();
}

static void take_a_page(struct world *w)
{
	assert_true(buddy_alloc_node(&w->buddy, 1, 0) != BUDDY_NONE);
}

static void a_page_that_is_lost(void **state)
{
	(void)state;
	open_machine(alloc_small_machine(), 2);
	choose_ways(PCP_ORDER0, PCP_HIGH);
	a.w->broken_call = a.w->run_calls + STREAM_SIZES;
	a.w->break_it = take_a_page;
	assert_true(run_messages());
	assert_non_null(r.fault);
	assert_false(r.free_fault);
	assert_int_equal(r.runs, 1);
	close_machine();
}

static void free_free_page(struct world *w)
{
	(void)w;
	page_free(&a.allocator, 0, SECTION_PAGES / 2 + 5, 0);
}

static void a_free_that_is_refused(void **state)
{
	(void)state;
	open_machine(alloc_small_machine(), 2);
	choose_ways(PCP_ORDER0, PCP_HIGH);
	a.w->broken_call = a.w->run_calls + STREAM_SIZES + 1; /* the second run: way high */
	a.w->break_it = free_free_page;
	assert_true(run_messages());
	assert_string_equal(r.fault, "a free was refused");
	assert_true(r.free_fault);
	assert_int_equal(r.fault_way, PCP_HIGH);
	assert_int_equal(a.allocator.fault.kind, FREE_FAULT_DOUBLE);
	close_machine();
}

/* 44 pages: the large queue does not fit, whatever the messages. */
static void memory_that_ends(void **state)
{
	struct world *w = world_new();
	uint32_t starved = 0;

	(void)state;
	fake_ram(&w->topology, 0, 300, 0);
	range_list_add(&w->reserved, 0, 256);
	add_cpus(w, 0, 1);
	world_populate(w, 1);
	open_machine(w, 1);
	choose_ways(PCP_ORDER0, PCP_ORDER0);
	assert_true(run_messages());
	assert_null(r.fault);
	assert_int_equal(r.setting_count, 2);
	for (uint32_t setting = 0; setting < 2; setting++)
		for (uint32_t size = 0; size < STREAM_SIZES; size++) {
			const struct stream_sample *sample = stream_sample(&r, setting, 0, size, 0);

			assert_int_equal(sample->starved, setting);
			assert_true(!sample->starved == (sample->messages > 0));
			assert_true(!sample->starved || !sample->counters.page_allocations);
			starved += sample->starved > 0;
		}
	assert_int_equal(starved, STREAM_SIZES);
	assert_null(pages_state_fault(&a.input, &a.before));
	close_machine();
}

/* ---- the two sides by themselves ------------------------------------------------------------ */

static struct stream_state *s;
static struct stream_pair *pair;

/* A pair on the small machine's node 1 with three messages of 64 bytes in its ring. */
static void open_pair(void)
{
	uint64_t bytes;

	open_machine(alloc_small_machine(), 2);
	s = test_calloc(1, sizeof(*s));
	s->input = &a.input;
	s->choice = &choice;
	s->message_bytes = 64;
	s->socket = stream_socket(64, 0);
	s->slice_cycles = s->longest_cycles = 1 << 16;
	pair = s->pairs = aligned_alloc(64, sizeof(*pair));
	memset(pair, 0, sizeof(*pair));
	pair->node = 1;
	pair->sender_cpu = 1;
	pair->receiver_cpu = 2;
	pair->sender_user = test_calloc(2, STREAM_MESSAGE_MAX);
	pair->receiver_user = pair->sender_user + STREAM_MESSAGE_MAX;
	bytes = page_allocator_bytes(&a.allocator);
	s->allocator_memory = aligned_alloc(64, bytes);
	page_allocator_init(&a.allocator, PCP_ORDER0, s->allocator_memory);
	s->slab_memory = aligned_alloc(64, slab_layer_bytes(&a.allocator, 2));
	slab_layer_init(&s->layer, &a.allocator, ram, 2, s->slab_memory);
	stream_work(s, 0);
	assert_int_equal(pair->sent, 3);
	assert_int_equal(pair->charged_bytes, 3 * 768);
}

static void close_pair(void)
{
	assert_int_equal(slab_drain(&s->layer, 0), 0);
	page_allocator_drain(&a.allocator);
	assert_null(pages_state_fault(&a.input, &a.before));
	free(s->slab_memory);
	free(s->allocator_memory);
	test_free(pair->sender_user);
	free(pair);
	test_free(s);
	close_machine();
}

static void receive(uint64_t damaged)
{
	stream_work(s, 1);
	assert_int_equal(pair->received, 3);
	assert_int_equal(pair->damaged, damaged);
	assert_int_equal(pair->charged_bytes, 0);
	assert_false(pair->timed_out);
}

static void limit_and_order(void **state)
{
	(void)state;
	open_pair();
	receive(0);
	close_pair();
}

static void messages_that_change_places(void **state)
{
	struct stream_head *first;

	(void)state;
	open_pair();
	first = pair->slots[0];
	pair->slots[0] = pair->slots[1];
	pair->slots[1] = first;
	receive(2);
	close_pair();
}

/* The first byte of the message stands behind the headers: 44 bytes. */
static void bytes_that_change(void **state)
{
	(void)state;
	open_pair();
	pair->slots[0]->data[44] ^= 1;
	pair->slots[1]->data[44 + 63] ^= 1;
	pair->slots[2]->data[44 + 30] ^= 1;
	receive(3);
	close_pair();
	open_pair();
	pair->slots[0]->data[43] ^= 1; /* outside */
	pair->slots[1]->data[44 + 64] ^= 1;
	receive(0);
	close_pair();
}

static void a_sender_that_never_ends(void **state)
{
	(void)state;
	open_pair();
	pair->closed = false;
	a.w->machine.timeout_cycles = 1 << 20;
	stream_work(s, 1);
	assert_int_equal(pair->received, 3);
	assert_true(pair->timed_out);
	close_pair();
}

/* On one CPU three messages at a time: eleven fillings are the first that make a whole burst. */
static void bursts_of_messages(void **state)
{
	(void)state;
	open_pair();
	receive(0);
	pair->receiver_cpu = pair->sender_cpu;
	pair->burst_count = 0;
	pair->burst_from = pair->received;
	stream_work_alone(s, 0);
	assert_int_equal(pair->burst_count, (pair->received - 3) / 33 < STREAM_BURSTS_MAX ?
						    (pair->received - 3) / 33 :
						    STREAM_BURSTS_MAX);
	for (uint32_t i = 0; i < pair->burst_count; i++)
		assert_in_range(pair->bursts[i], 1, pair->cycles);
	close_pair();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sockets_by_hand),
		cmocka_unit_test(every_way),
		cmocka_unit_test(both_places_and_queues),
		cmocka_unit_test(several_pairs),
		cmocka_unit_test(one_cpu_keeps_to_the_limit),
		cmocka_unit_test(time_that_is_over),
		cmocka_unit_test(settings_without_figures),
		cmocka_unit_test(time_of_slices),
		cmocka_unit_test(needs_its_memory),
		cmocka_unit_test(a_cpu_that_does_not_come),
		cmocka_unit_test(a_page_that_is_lost),
		cmocka_unit_test(a_free_that_is_refused),
		cmocka_unit_test(memory_that_ends),
		cmocka_unit_test(limit_and_order),
		cmocka_unit_test(messages_that_change_places),
		cmocka_unit_test(bytes_that_change),
		cmocka_unit_test(a_sender_that_never_ends),
		cmocka_unit_test(bursts_of_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
