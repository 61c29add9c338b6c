/* SPDX-License-Identifier: GPL-2.0-only */
#include "lab/alloc/stream_work.h"

#include "lab/alloc/stream_state.h"
#include "lib/cpu.h"
#include "lib/patience.h"
#include "lib/stats.h"
#include "lib/string.h"

enum {
	HEADROOM_BYTES = 16 + 20 + 8, /* headers in front of the message */
	SHARED_INFO_BYTES = 320,
	SHARED_INFO_CLEARED = 40,     /* of these, up to dataref [Linux __alloc_skb] */
	CLOCK_EVERY = 16,             /* messages */
	MESSAGES_MIN = (STREAM_BURSTS_MIN + 1) * STREAM_BURST
};

static uint64_t now(const struct stream_state *s)
{
	return alloc_now(s->input);
}

/* ---- the message ---------------------------------------------------------------------------- */

static void write_number(uint8_t *message, uint32_t bytes, uint64_t number)
{
	memcpy(message, &number, sizeof(number));
	memcpy(message + bytes - sizeof(number), &number, sizeof(number));
}

static bool has_number(const uint8_t *message, uint32_t bytes, uint64_t number)
{
	return !memcmp(message, &number, sizeof(number)) &&
	       !memcmp(message + bytes - sizeof(number), &number, sizeof(number));
}

static uint8_t byte_at(uint64_t number, uint32_t i)
{
	return (uint8_t)(number * 31 + i * 7);
}

static void write_message(const struct stream_state *s, uint8_t *message, uint64_t number)
{
	for (uint32_t i = 0; s->choice->whole && i < s->message_bytes; i++)
		message[i] = byte_at(number, i);
	write_number(message, s->message_bytes, number);
}

static bool is_message(const struct stream_state *s, const uint8_t *message, uint64_t number)
{
	if (!has_number(message, s->message_bytes, number))
		return false;
	for (uint32_t i = 8; s->choice->whole && i < s->message_bytes - 8; i++)
		if (message[i] != byte_at(number, i))
			return false;
	return true;
}

/* ---- one message sent ----------------------------------------------------------------------- */

static bool has_room(const struct stream_state *s, const struct stream_pair *pair)
{
	return atomic_load_explicit(&pair->charged_bytes, memory_order_acquire) <
	       s->socket.limit_bytes;
}

/* [Linux __alloc_skb] */
static struct stream_head *new_message(struct stream_state *s, const struct stream_pair *pair)
{
	struct stream_head *head =
		slab_alloc(&s->layer, pair->sender_cpu, pair->node, SLAB_SKB_HEAD);
	uint8_t *data;

	if (!head)
		return NULL;
	data = slab_kmalloc(&s->layer, pair->sender_cpu, pair->node, s->socket.asked_bytes);
	if (!data) {
		slab_free(&s->layer, pair->sender_cpu, head);
		return NULL;
	}
	memset(head, 0, sizeof(*head));
	memset(data + s->socket.usable_bytes - SHARED_INFO_BYTES, 0, SHARED_INFO_CLEARED);
	head->data = data;
	head->length = s->message_bytes;
	head->truesize_bytes = s->socket.truesize_bytes;
	return head;
}

/* False: no memory. The charge is there before the message is. */
static bool send_one(struct stream_state *s, struct stream_pair *pair)
{
	uint64_t number = atomic_load_explicit(&pair->sent, memory_order_relaxed);
	struct stream_head *head = new_message(s, pair);

	if (!head) {
		pair->out_of_memory = true;
		return false;
	}
	write_message(s, pair->sender_user, number);
	head->number = number;
	memcpy(head->data + HEADROOM_BYTES, pair->sender_user, s->message_bytes);
	atomic_fetch_add_explicit(&pair->charged_bytes, head->truesize_bytes,
				  memory_order_relaxed);
	pair->slots[number % STREAM_RING_SLOTS] = head;
	atomic_store_explicit(&pair->sent, number + 1, memory_order_release);
	return true;
}

/* ---- one message received ------------------------------------------------------------------- */

/* The data are freed first [Linux __kfree_skb]. The charge is taken back only when the slot has
 * been read, so that the sender cannot come round to it. */
static void receive_one(struct stream_state *s, struct stream_pair *pair)
{
	struct stream_head *head = pair->slots[pair->received % STREAM_RING_SLOTS];
	uint64_t truesize = head->truesize_bytes;

	memcpy(pair->receiver_user, head->data + HEADROOM_BYTES, head->length);
	if (head->number != pair->received || head->length != s->message_bytes ||
	    !is_message(s, pair->receiver_user, pair->received))
		pair->damaged++;
	pair->received++;
	atomic_fetch_sub_explicit(&pair->charged_bytes, truesize, memory_order_release);
	slab_free(&s->layer, pair->receiver_cpu, head->data);
	slab_free(&s->layer, pair->receiver_cpu, head);
}

static bool has_message(const struct stream_pair *pair)
{
	return atomic_load_explicit(&pair->sent, memory_order_acquire) > pair->received;
}

/* A burst may be over. Where one CPU fills the socket and empties it they may be longer, and count
 * by their length. */
static void note_burst(const struct stream_state *s, struct stream_pair *pair)
{
	uint64_t messages = pair->received - pair->burst_from, tsc;

	if (messages < STREAM_BURST || pair->burst_count == STREAM_BURSTS_MAX)
		return;
	tsc = now(s);
	pair->bursts[pair->burst_count++] =
		mul_div_u64(tsc - pair->burst_tsc, STREAM_BURST, messages);
	pair->burst_from = pair->received;
	pair->burst_tsc = tsc;
}

/* ---- the sides ------------------------------------------------------------------------------ */

/* A slice in which the other side stood still has few messages: it goes on for a while. */
static bool slice_over(const struct stream_state *s, uint64_t messages, uint64_t start)
{
	uint64_t spent = now(s) - start;

	return spent >= s->slice_cycles &&
	       (messages >= MESSAGES_MIN || spent >= s->longest_cycles);
}

static void send_side(struct stream_state *s, struct stream_pair *pair)
{
	uint64_t start = now(s);
	uint32_t since = 0;

	while (since % CLOCK_EVERY ||
	       !slice_over(s, atomic_load_explicit(&pair->sent, memory_order_relaxed), start)) {
		if (!has_room(s, pair)) {
			since = 0;
			cpu_pause();
			continue;
		}
		since++;
		if (!send_one(s, pair))
			break;
	}
	atomic_store_explicit(&pair->closed, true, memory_order_release);
}

/* Until the last one has come; not for ever. */
static void receive_side(struct stream_state *s, struct stream_pair *pair)
{
	uint64_t start = now(s);
	struct patience patience;

	patience_begin(&patience, start, s->longest_cycles + s->input->machine->timeout_cycles);
	pair->burst_tsc = start;
	for (;;) {
		bool closed = atomic_load_explicit(&pair->closed, memory_order_acquire);

		if (has_message(pair)) {
			receive_one(s, pair);
			note_burst(s, pair);
			continue;
		}
		if (closed)
			break;
		if (patience_over(&patience, now(s))) {
			pair->timed_out = true;
			break;
		}
		cpu_pause();
	}
	pair->cycles = now(s) - start;
}

void stream_work(void *argument, uint32_t index)
{
	struct stream_state *s = argument;

	if (index % 2)
		receive_side(s, &s->pairs[index / 2]);
	else
		send_side(s, &s->pairs[index / 2]);
}

void stream_work_alone(void *argument, uint32_t index)
{
	struct stream_state *s = argument;
	struct stream_pair *pair = &s->pairs[index];
	uint64_t start = now(s);

	pair->burst_tsc = start;
	do {
		while (has_room(s, pair) && send_one(s, pair))
			;
		while (has_message(pair))
			receive_one(s, pair);
		note_burst(s, pair);
	} while (!pair->out_of_memory && !slice_over(s, pair->received, start));
	pair->cycles = now(s) - start;
}
