/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/console.h"

#include <stdatomic.h>

#include "kernel/clock.h"
#include "kernel/io.h"
#include "lib/cpu.h"
#include "lib/patience.h"
#include "lib/text.h"
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

/* A full FIFO drains in 1.4 ms at 115200 baud, but who reads may be slower, or away for a while.
 * Until clock_init has found out how fast the clock is, it is taken for 1 GHz: at 5 GHz a second is
 * left. */
enum { PATIENCE_US = 5 * 1000 * 1000 };

static struct {
	uint16_t port;     /* 0: none */
	uint32_t room;     /* bytes that an empty transmitter takes */
	bool silent;       /* it took nothing for so long that nobody waits for it any more */
	bool amid_line;    /* the last byte for it, written or lost, was no line feed */
	uint64_t lost;     /* bytes of text since the start */
	uint64_t lost_told; /* of these, said on the port itself */
} uart;

static _Atomic bool print_lock;
static _Atomic(struct percpu *) seizer; /* the one CPU that may still print; NULL: all may */

/* A port that has gone away reads as all ones. */
static bool uart_has(uint8_t bits)
{
	uint8_t status = inb((uint16_t)(uart.port + UART_LINE_STATUS));

	return status != 0xff && (status & bits) != 0;
}

/* The clock is read before the port: who was kept from running for long still sees what it did. */
static bool uart_wait(uint8_t bits)
{
	struct patience patience;
	uint64_t now = tsc_ordered();

	patience_begin(&patience, now, clock_cycles_us(PATIENCE_US));
	while (!uart_has(bits)) {
		if (patience_over(&patience, now))
			return false;
		cpu_pause();
		now = tsc_ordered();
	}
	return true;
}

/* Writes in bursts of what an empty transmitter holds. False: it stands still. */
static bool uart_put(char byte, uint32_t *room)
{
	if (*room == 0) {
		if (!uart_wait(UART_TRANSMIT_EMPTY))
			return false;
		*room = uart.room;
	}
	outb((uint16_t)(uart.port + UART_DATA), (uint8_t)byte);
	--*room;
	return true;
}

/* A terminal wants a carriage return before each line feed. */
static void uart_write(const char *text, size_t length)
{
	uint32_t room = 0;

	for (size_t i = 0; i < length; i++) {
		if ((text[i] != '\n' || uart_put('\r', &room)) && uart_put(text[i], &room))
			continue;
		uart.lost += length - i;
		uart.silent = true;
		return;
	}
}

/* The port takes bytes again: what stands there is half a line. */
static void uart_resume(void)
{
	char text[96];
	struct text lost = text_in(text, sizeof(text));

	text_add(&lost, "\n(%lu bytes are lost here: nobody took them)\n",
		 uart.lost - uart.lost_told);
	uart.silent = false;
	uart.lost_told = uart.lost;
	uart_write(lost.to, lost.length);
}

/* Lines that a silent port loses are lost as a whole. */
static void write(const char *text, size_t length)
{
	if (!uart.port || !length)
		return;
	if (uart.silent && !uart.amid_line && uart_has(UART_TRANSMIT_EMPTY))
		uart_resume();
	uart.amid_line = text[length - 1] != '\n';
	if (uart.silent)
		uart.lost += length;
	else
		uart_write(text, length);
}

static bool print_try_lock(void)
{
	return !atomic_load(&seizer) && !atomic_exchange(&print_lock, true);
}

static void console_write(void *context, const char *text, size_t length)
{
	(void)context;
	if (atomic_load(&seizer) == this_cpu()) {
		write(text, length);
		return;
	}
	while (!print_try_lock())
		cpu_pause();
	write(text, length);
	atomic_store(&print_lock, false);
}

const struct sink *console(void)
{
	static const struct sink sink = { console_write, NULL };

	return &sink;
}

void console_retry(void)
{
	if (uart.port && uart.silent && uart_wait(UART_TRANSMIT_EMPTY))
		uart_resume();
}

void console_seize(void)
{
	atomic_store(&seizer, this_cpu());
	console_retry();
}

/* Not every UART tells that all is sent: an empty transmitter, after all that time, will do. */
void console_flush(void)
{
	if (!uart.port || uart.silent || uart_wait(UART_ALL_SENT) || uart_has(UART_TRANSMIT_EMPTY))
		return;
	uart.silent = true;
	uart.lost += uart.room;
}

uint64_t console_lost_bytes(void)
{
	return uart.lost;
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
	uart.port = 0;
	if (port == 0 || !uart_present(port))
		return false;
	outb((uint16_t)(port + UART_INTERRUPT_ENABLE), 0);
	outb((uint16_t)(port + UART_LINE_CONTROL), UART_DIVISOR_LATCH);
	outb((uint16_t)(port + UART_DATA), UART_DIVISOR_115200);
	outb((uint16_t)(port + UART_INTERRUPT_ENABLE), 0);
	outb((uint16_t)(port + UART_LINE_CONTROL), UART_8N1);
	outb((uint16_t)(port + UART_FIFO_CONTROL), UART_FIFO_ENABLE_CLEAR);
	outb((uint16_t)(port + UART_MODEM_CONTROL), UART_DTR_RTS);
	uart.port = port;
	uart.room = (inb((uint16_t)(port + UART_INTERRUPT_ID)) & UART_FIFOS_ON) == UART_FIFOS_ON
			    ? UART_FIFO_BYTES : 1;
	return true;
}
