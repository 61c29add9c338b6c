/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/console.h"

#include <stdatomic.h>

#include "kernel/io.h"
#include "lib/cpu.h"
#include "smp/start/percpu.h"

/* 16550 registers, offsets from the port [16550D data sheet, table 2]. */
enum {
	UART_DATA = 0,
	UART_INTERRUPT_ENABLE = 1,
	UART_FIFO_CONTROL = 2,
	UART_INTERRUPT_ID = 2, /* when read */
	UART_LINE_CONTROL = 3,
	UART_MODEM_CONTROL = 4,
	UART_LINE_STATUS = 5,
	UART_SCRATCH = 7,

	UART_FIFO_ENABLE_CLEAR = 0x07,
	UART_8N1 = 0x03,
	UART_DIVISOR_LATCH = 0x80,
	UART_DTR_RTS = 0x03,
	UART_TRANSMIT_EMPTY = 0x20, /* the holding register or FIFO takes more */
	UART_ALL_SENT = 0x40,
	UART_FIFOS_ON = 0xc0, /* in the interrupt id: an 8250 or 16450 has none */
	UART_FIFO_BYTES = 16,
	UART_DIVISOR_115200 = 1,
};

/* A full FIFO drains in 1.4 ms at 115200 baud; a port access takes about 1 us on hardware. A
 * console that takes over a virtual network may be slower: it is given up after about half a
 * second. */
enum { DRAIN_POLLS = 500000 };

static uint16_t uart_port; /* 0: none, or dropped */
static uint32_t uart_room; /* bytes that an empty transmitter takes */

static _Atomic bool print_lock;
static _Atomic(struct percpu *) seizer; /* the one CPU that may still print; NULL: all may */

static bool uart_wait(uint8_t bits)
{
	for (uint32_t poll = 0; poll < DRAIN_POLLS; poll++) {
		uint8_t status = inb((uint16_t)(uart_port + UART_LINE_STATUS));

		if (status == 0xff)
			break;
		if (status & bits)
			return true;
	}
	uart_port = 0;
	return false;
}

/* Writes in bursts of what an empty transmitter holds. */
static void uart_put(char byte, uint32_t *room)
{
	if (*room == 0) {
		if (!uart_wait(UART_TRANSMIT_EMPTY))
			return;
		*room = uart_room;
	}
	outb((uint16_t)(uart_port + UART_DATA), (uint8_t)byte);
	--*room;
}

/* A terminal wants a carriage return before each line feed. */
static void uart_write(const char *text, size_t length)
{
	uint32_t room = 0;

	for (size_t i = 0; i < length && uart_port; i++) {
		if (text[i] == '\n')
			uart_put('\r', &room);
		if (uart_port)
			uart_put(text[i], &room);
	}
}

static bool print_try_lock(void)
{
	return !atomic_load(&seizer) && !atomic_exchange(&print_lock, true);
}

static void console_write(void *context, const char *text, size_t length)
{
	(void)context;
	if (atomic_load(&seizer) == this_cpu()) {
		uart_write(text, length);
		return;
	}
	while (!print_try_lock())
		cpu_pause();
	uart_write(text, length);
	atomic_store(&print_lock, false);
}

const struct sink *console(void)
{
	static const struct sink sink = { console_write, NULL };

	return &sink;
}

void console_seize(void)
{
	atomic_store(&seizer, this_cpu());
}

void console_flush(void)
{
	if (uart_port)
		uart_wait(UART_ALL_SENT);
}

/* A port without a UART reads as 0xff, and forgets what is written to the scratch register. */
static bool uart_present(uint16_t port)
{
	static const uint8_t patterns[] = { 0x5a, 0xa5 };

	for (uint32_t i = 0; i < sizeof(patterns); i++) {
		outb((uint16_t)(port + UART_SCRATCH), patterns[i]);
		if (inb((uint16_t)(port + UART_SCRATCH)) != patterns[i])
			return false;
	}
	return inb((uint16_t)(port + UART_LINE_STATUS)) != 0xff;
}

bool console_init(uint16_t port)
{
	uart_port = 0;
	if (port == 0 || !uart_present(port))
		return false;
	outb((uint16_t)(port + UART_INTERRUPT_ENABLE), 0);
	outb((uint16_t)(port + UART_LINE_CONTROL), UART_DIVISOR_LATCH);
	outb((uint16_t)(port + UART_DATA), UART_DIVISOR_115200);
	outb((uint16_t)(port + UART_INTERRUPT_ENABLE), 0);
	outb((uint16_t)(port + UART_LINE_CONTROL), UART_8N1);
	outb((uint16_t)(port + UART_FIFO_CONTROL), UART_FIFO_ENABLE_CLEAR);
	outb((uint16_t)(port + UART_MODEM_CONTROL), UART_DTR_RTS);
	uart_port = port;
	uart_room = (inb((uint16_t)(port + UART_INTERRUPT_ID)) & UART_FIFOS_ON) == UART_FIFOS_ON
			    ? UART_FIFO_BYTES : 1;
	return true;
}
