/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/loader.h"
#include "tests/host/fake_phys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { INFO_AT = 0x9000, START_INFO_BYTES = 40 };

static struct boot_info info;
static struct anomaly_log notes;

static bool read(uint32_t magic, const uint8_t *bytes, uint32_t length)
{
	struct fake_phys phys = { .count = 0 };
	const struct phys_reader reader = { fake_phys_map, &phys };
	bool done;

	memset(&info, 0, sizeof(info));
	if (length)
		fake_phys_put(&phys, INFO_AT, bytes, length);
	done = boot_info_read(&info, magic, &reader, INFO_AT, &notes);
	fake_phys_free(&phys);
	return done;
}

/* Total size, a reserved word, and the tag that ends the list [MB2 3.4]. */
static const uint8_t multiboot2[16] = { 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8 };
/* The magic number of start information, version 0 [PVH]. */
static const uint8_t start_info[START_INFO_BYTES] = { 0x78, 0xc5, 0x6e, 0x33 };

static void the_magic_chooses_the_protocol(void **state)
{
	(void)state;
	assert_true(read(MULTIBOOT2_MAGIC, multiboot2, sizeof(multiboot2)));
	assert_int_equal(info.protocol, BOOT_MULTIBOOT2);
	assert_true(read(PVH_MAGIC, start_info, sizeof(start_info)));
	assert_int_equal(info.protocol, BOOT_PVH);
	assert_false(read(PVH_MAGIC, multiboot2, sizeof(multiboot2)));
}

static void nothing_that_can_be_read(void **state)
{
	(void)state;
	assert_false(read(MULTIBOOT2_MAGIC, NULL, 0));
	assert_false(read(PVH_MAGIC, NULL, 0));
}

/* Multiboot 1, for one: its information looks otherwise. */
static void a_protocol_that_is_not_spoken(void **state)
{
	(void)state;
	assert_false(read(0x2badb002, multiboot2, sizeof(multiboot2)));
	assert_int_equal(info.protocol, BOOT_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_magic_chooses_the_protocol),
		cmocka_unit_test(nothing_that_can_be_read),
		cmocka_unit_test(a_protocol_that_is_not_spoken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
