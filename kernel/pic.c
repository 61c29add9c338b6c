/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/pic.h"

#include "kernel/io.h"

enum {
	MASTER_COMMAND = 0x20, /* data at the next port */
	SLAVE_COMMAND = 0xa0,

	/* initialisation command words [Intel 8259A] */
	ICW1_CASCADE_ICW4 = 0x11,
	ICW4_8086 = 0x01,
	SLAVE_ON_LINE_2 = 1 << 2,
	SLAVE_IDENTITY = 2,
	ALL_MASKED = 0xff,

	PIC_VECTOR = 0x20, /* the first behind the exceptions; eight each */
	PIC_VECTORS = 16,
};

static void initialise(uint16_t command, uint8_t vector, uint8_t cascade)
{
	uint16_t data = (uint16_t)(command + 1);

	outb(command, ICW1_CASCADE_ICW4);
	outb(data, vector);
	outb(data, cascade);
	outb(data, ICW4_8086);
	outb(data, ALL_MASKED);
}

void pic_silence(void)
{
	initialise(MASTER_COMMAND, PIC_VECTOR, SLAVE_ON_LINE_2);
	initialise(SLAVE_COMMAND, PIC_VECTOR + 8, SLAVE_IDENTITY);
}

bool pic_vector(uint64_t vector)
{
	return vector >= PIC_VECTOR && vector < PIC_VECTOR + PIC_VECTORS;
}
