/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/exit.h"

#include "kernel/console.h"
#include "kernel/io.h"
#include "lib/cpu.h"

enum {
	QEMU_DEBUG_EXIT = 0xf4,
	RESET_CONTROL = 0xcf9, /* chipset reset: bit 1 full, bit 2 the pulse */
	RESET_CONTROL_HARD = 0x06,
	KEYBOARD_COMMAND = 0x64,
	KEYBOARD_RESET = 0xfe,
};

static enum exit_mode exit_mode;
static uint64_t exit_reset_port;
static uint8_t exit_reset_value;

void exit_configure(enum exit_mode mode, uint64_t reset_port, uint8_t reset_value)
{
	exit_mode = mode;
	exit_reset_port = reset_port;
	exit_reset_value = reset_value;
}

/* Gives one way of resetting the time to work before the next is tried. */
static void settle(void)
{
	for (uint32_t i = 0; i < 10000000; i++)
		cpu_pause();
}

/* The ways in order of reliability: ACPI's reset register [ACPI 6.5 4.8.3.6], the chipset's, the
 * keyboard controller's; a triple fault at last. */
static void reboot(void)
{
	static const struct __attribute__((packed)) {
		uint16_t limit;
		uint64_t base;
	} no_interrupts = { 0, 0 };

	if (exit_reset_port && exit_reset_port <= UINT16_MAX) {
		outb((uint16_t)exit_reset_port, exit_reset_value);
		settle();
	}
	outb(RESET_CONTROL, RESET_CONTROL_HARD);
	settle();
	outb(KEYBOARD_COMMAND, KEYBOARD_RESET);
	settle();
	__asm__ volatile("lidt %0\n\tud2" : : "m"(no_interrupts));
}

_Noreturn void exit_run(enum exit_value value)
{
	console_flush();
	if (value == EXIT_VALUE_OK && console_lost_bytes())
		value = EXIT_VALUE_CUT;
	if (exit_mode == EXIT_QEMU)
		outb(QEMU_DEBUG_EXIT, (uint8_t)value);
	if (exit_mode == EXIT_REBOOT)
		reboot();
	for (;;)
		__asm__ volatile("cli\n\thlt");
}
