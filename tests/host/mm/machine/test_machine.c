/* SPDX-License-Identifier: GPL-2.0-only */
/* From the loader's bytes to a joined machine, step by step as the kernel takes them. */
#include "lib/page_units.h"
#include "mm/machine/machine.h"
#include "tests/host/acpi_phys.h"

enum { RSDP_AT = 0x7000, BIOS_RSDP_AT = 0xf0040 };

#define MIB (1ull << 20)
#define GIB (1ull << 30)
#define TIB (1ull << 40)

static const struct range image = { 0x200000, 0x400800 };
static struct machine machine;
static struct topology topology;
static struct phys_memory memory;
static struct phys_reader reader;

static int begin(void **state)
{
	(void)state;
	memset(&machine, 0, sizeof(machine));
	memset(&topology, 0xee, sizeof(topology));
	memset(&memory, 0, sizeof(memory));
	reader = phys_reader(&memory);
	return 0;
}

static int end(void **state)
{
	(void)state;
	phys_free(&memory);
	return 0;
}

/* An XSDT at `at`, or an RSDT where entries are of 4 bytes, that names one MADT, right behind it,
 * with one CPU. */
static void put_root_of(uint64_t at, uint32_t apic_id, uint32_t entry_bytes)
{
	struct build madt, xsdt;

	build_header(&madt, "APIC", 4);
	build_int(&madt, 0xfee00000, 4);
	build_int(&madt, 0, 4);
	build_int(&madt, 0, 1); /* a local APIC: type, length, processor, id, enabled */
	build_int(&madt, 8, 1);
	build_int(&madt, 0, 1);
	build_int(&madt, apic_id, 1);
	build_int(&madt, 1, 4);
	build_close(&madt);
	build_header(&xsdt, entry_bytes == 4 ? "RSDT" : "XSDT", 1);
	build_int(&xsdt, at + 0x1000, entry_bytes);
	build_close(&xsdt);
	phys_add_table(&memory, at, &xsdt);
	phys_add_table(&memory, at + 0x1000, &madt);
}

static void put_root(uint64_t at, uint32_t apic_id)
{
	put_root_of(at, apic_id, 8);
}

/* The APIC ids tell which root the tables came from. */
enum { ID_COPY = 1, ID_ADDRESS = 2, ID_BIOS = 3 };

static void put_copy(void)
{
	put_root(0x100000, ID_COPY);
	build_rsdp(machine.boot.rsdp, 2, 0, 0x100000);
	machine.boot.rsdp_length = 36;
}

static void put_address(void)
{
	uint8_t rsdp[36];

	put_root(0x200000, ID_ADDRESS);
	build_rsdp(rsdp, 2, 0, 0x200000);
	phys_add(&memory, RSDP_AT, rsdp, sizeof(rsdp));
	machine.boot.rsdp_address = RSDP_AT;
}

static void put_bios(void)
{
	uint8_t *area, rsdp[36];

	put_root(0x300000, ID_BIOS);
	build_rsdp(rsdp, 2, 0, 0x300000);
	area = phys_add_zeros(&memory, 0xe0000, 0x20000);
	memcpy(area + BIOS_RSDP_AT - 0xe0000, rsdp, sizeof(rsdp));
}

static void read_and_parse(void)
{
	machine_find_tables(&machine, &reader);
	machine_parse_tables(&machine);
}

static void assert_root(uint32_t apic_id, uint32_t anomalies)
{
	assert_true(machine.has_madt);
	assert_int_equal(machine.madt.cpu_count, 1);
	assert_int_equal(machine.madt.apic_ids[0], apic_id);
	assert_int_equal(machine.log.count, anomalies);
}

static void the_loaders_copy_goes_first(void **state)
{
	(void)state;
	put_copy();
	put_address();
	put_bios();
	read_and_parse();
	assert_root(ID_COPY, 0);
}

/* Of the loader's two copies, and of what a good copy leads to. */
static void a_bad_rsdp_hides_no_good_one(void **state)
{
	uint8_t old[36];

	(void)state;
	put_root_of(0x100000, ID_COPY, 4);
	build_rsdp(old, 0, 0x100000, 0);
	memcpy(machine.boot.old_rsdp, old, 20);
	machine.boot.old_rsdp_length = 20;
	build_rsdp(machine.boot.rsdp, 2, 0, 0x100000);
	machine.boot.rsdp[8] ^= 1;
	machine.boot.rsdp_length = 36;
	read_and_parse();
	assert_true(has_anomaly(&machine.log, "RSDP", 0, "the loader's copy has a wrong checksum"));
	assert_true(machine.has_madt);
	assert_int_equal(machine.madt.apic_ids[0], ID_COPY);
}

static void a_good_rsdp_without_a_root_table_hides_no_good_one(void **state)
{
	(void)state;
	build_rsdp(machine.boot.rsdp, 2, 0, 0x900000);
	machine.boot.rsdp_length = 36;
	put_bios();
	read_and_parse();
	assert_true(machine.has_madt);
	assert_int_equal(machine.madt.apic_ids[0], ID_BIOS);
}

static void then_the_address_it_gave(void **state)
{
	(void)state;
	put_copy();
	put_address();
	put_bios();
	machine.boot.rsdp[10]++; /* its sum is wrong now */
	read_and_parse();
	assert_root(ID_ADDRESS, 1); /* the copy's checksum */
}

static void then_the_bios_area(void **state)
{
	(void)state;
	put_address();
	put_bios();
	machine.boot.rsdp_address = RSDP_AT + 0x100000; /* unreadable */
	read_and_parse();
	assert_root(ID_BIOS, 0);
}

/* Two in the BIOS area: the first one leads nowhere. */
static void the_search_goes_on_behind_an_rsdp_without_tables(void **state)
{
	uint8_t *area, rsdp[36];

	(void)state;
	put_root(0x300000, ID_BIOS);
	area = phys_add_zeros(&memory, 0xe0000, 0x20000);
	build_rsdp(rsdp, 2, 0, 0x900000);
	memcpy(area + 0x100, rsdp, sizeof(rsdp));
	build_rsdp(rsdp, 2, 0, 0x300000);
	memcpy(area + 0x110 + 0x20, rsdp, sizeof(rsdp));
	read_and_parse();
	assert_true(machine.has_madt);
	assert_int_equal(machine.madt.apic_ids[0], ID_BIOS);
	assert_false(has_anomaly(&machine.log, "RSDP", 0,
				 "no ACPI tables: one node, all RAM, the boot CPU alone"));
}

static void a_broken_rsdp_at_the_address_is_passed_over(void **state)
{
	uint8_t broken[36];

	(void)state;
	build_rsdp(broken, 2, 0, 0x200000);
	broken[10]++;
	phys_add(&memory, RSDP_AT, broken, sizeof(broken));
	machine.boot.rsdp_address = RSDP_AT;
	put_bios();
	read_and_parse();
	assert_root(ID_BIOS, 0);
}

static void no_tables_at_all(void **state)
{
	(void)state;
	read_and_parse();
	assert_int_equal(machine.log.count, 1);
	assert_true(has_anomaly(&machine.log, "RSDP", 0,
				"no ACPI tables: one node, all RAM, the boot CPU alone"));
	assert_false(machine.has_madt || machine.has_srat || machine.has_slit || machine.has_hmat);
	assert_int_equal(machine.hpet.address, 0);
	assert_int_equal(machine.fadt.reset_port, 0);
}

static void add_ram(uint64_t start, uint64_t end_bytes)
{
	assert_true(boot_info_add_memory(&machine.boot, start, end_bytes - start, MEMORY_USABLE));
}

static void no_map(void **state)
{
	(void)state;
	assert_false(machine_read_map(&machine));
	boot_info_add_memory(&machine.boot, 0, GIB, MEMORY_RESERVED);
	assert_false(machine_read_map(&machine));
	assert_int_equal(machine.map.usable_pages, 0);
}

/*	RAM    [0,      |        |      1 GiB)
 *	           0xa0000    1 MiB           */
static void the_bios_area_is_no_ram(void **state)
{
	(void)state;
	add_ram(0, GIB);
	assert_true(machine_read_map(&machine));
	assert_int_equal(machine.map.count, 2);
	assert_int_equal(machine.map.ranges[0].end_pfn, 0xa0);
	assert_int_equal(machine.map.ranges[1].start_pfn, 0x100);
	assert_int_equal(machine.map.usable_pages, (GIB >> PAGE_SHIFT) - 0x60);
	assert_int_equal(machine.log.count, 1);
	assert_true(has_anomaly(&machine.log, "memory", 0,
				"0xa0000 to 0xfffff is no RAM, whatever the map says"));

	memset(&machine, 0, sizeof(machine));
	add_ram(0xa1000, 0xa2000);
	assert_false(machine_read_map(&machine));
	assert_int_equal(machine.map.count, 0);
}

static void unaccepted_ram_is_told(void **state)
{
	(void)state;
	add_ram(MIB, GIB);
	boot_info_add_memory(&machine.boot, GIB, 3 * GIB, MEMORY_UNACCEPTED);
	assert_true(machine_read_map(&machine));
	assert_int_equal(machine.map.usable_pages, (GIB - MIB) >> PAGE_SHIFT);
	assert_int_equal(machine.log.count, 1);
	assert_int_equal(machine.log.entries[0].value, 3 * GIB);
}

/*	RAM    [1 MiB, 1 GiB)   [63 TiB       |        65 TiB)   [66 TiB, 67 TiB)
 *	                              64 TiB                                    */
static void ram_out_of_reach_is_cut_off(void **state)
{
	(void)state;
	add_ram(MIB, GIB);
	add_ram(63 * TIB, 65 * TIB);
	add_ram(66 * TIB, 67 * TIB);
	assert_true(machine_read_map(&machine));
	machine_cut_map(&machine, 52);
	assert_int_equal(machine.map.count, 2);
	assert_true(machine.map.end_pfn == 64 * TIB >> PAGE_SHIFT);
	assert_true(machine.map.usable_pages == (TIB + GIB - MIB) >> PAGE_SHIFT);
	assert_int_equal(machine.log.count, 1);
	assert_true(has_anomaly(&machine.log, "memory", 0, "RAM above 64 TiB is left out"));
	assert_true(machine.log.entries[0].value == 67 * TIB);
}

/*	RAM    [1 MiB, 3 GiB)   [4 GiB, 7 GiB)
 *	                    32 bits                36 bits */
static void ram_beyond_the_address_width_is_cut_off(void **state)
{
	(void)state;
	add_ram(MIB, 3 * GIB);
	add_ram(4 * GIB, 7 * GIB);
	assert_true(machine_read_map(&machine));
	machine_cut_map(&machine, 36);
	assert_true(machine.map.usable_pages == (6 * GIB - MIB) >> PAGE_SHIFT);
	assert_int_equal(machine.log.count, 0);
	machine_cut_map(&machine, 32);
	assert_true(machine.map.usable_pages == (3 * GIB - MIB) >> PAGE_SHIFT);
	assert_int_equal(machine.log.count, 1);
	assert_true(has_anomaly(&machine.log, "memory", 0,
				"RAM beyond the CPU's address width is left out"));
	assert_true(machine.log.entries[0].value == 7 * GIB);
}

static void ram_up_to_the_reach_stays(void **state)
{
	(void)state;
	add_ram(63 * TIB, 64 * TIB);
	assert_true(machine_read_map(&machine));
	machine_cut_map(&machine, 52);
	assert_true(machine.map.usable_pages == TIB >> PAGE_SHIFT);
	assert_int_equal(machine.log.count, 0);
}

static void what_is_occupied_is_kept_from_the_allocator(void **state)
{
	const struct range_list *reserved = &machine.early.reserved;

	(void)state;
	add_ram(0, 0xa0000);
	boot_info_add_memory(&machine.boot, 0xa0000, 0x60000, MEMORY_RESERVED);
	add_ram(0x100000, GIB);
	boot_info_keep(&machine.boot, 0x9000, 0x1001);
	assert_true(machine_read_map(&machine));
	machine_open_memory(&machine, image);
	assert_int_equal(machine.early.ram_count, 2);
	assert_int_equal(reserved->count, 3);
	assert_int_equal(range_list_overlap(reserved, 0, 1), 1);
	assert_int_equal(range_list_overlap(reserved, 0x9, 0xb), 2);
	assert_int_equal(range_list_overlap(reserved, 0x200, 0x401), 0x201);
	assert_int_equal(early_alloc_pages(&machine.early, 1, 1, NODE_ANY, UINT64_MAX),
			 (GIB >> PAGE_SHIFT) - 1);
}

/* The map calls all of it usable. */
static void what_tables_lie_in_is_kept_from_the_allocator(void **state)
{
	const struct range_list *reserved = &machine.early.reserved;

	(void)state;
	add_ram(0, GIB);
	put_copy();
	assert_true(machine_read_map(&machine));
	machine_open_memory(&machine, image);
	machine_find_tables(&machine, &reader);
	assert_true(machine.tables.madt.address == 0x101000);
	assert_int_equal(range_list_overlap(reserved, 0x101, 0x102), 1);
	assert_int_equal(range_list_overlap(reserved, 0x102, 0x200), 0);
}

static void tables_move_to_another_reader(void **state)
{
	struct phys_memory elsewhere = { 0 };
	const struct phys_reader nowhere = phys_reader(&elsewhere);
	const uint8_t *before;

	(void)state;
	put_copy();
	machine_find_tables(&machine, &reader);
	before = machine.tables.madt.bytes;
	machine_move_tables(&machine, &reader);
	assert_ptr_not_equal(machine.tables.madt.bytes, before); /* each mapping is a new one */
	machine_parse_tables(&machine);
	assert_root(ID_COPY, 0);
	machine_move_tables(&machine, &nowhere);
	assert_null(machine.tables.madt.bytes);
	assert_true(has_anomaly(&machine.log, "ACPI", 0, "table no longer readable"));
}

static void tables_without_a_madt(void **state)
{
	struct build xsdt;

	(void)state;
	build_header(&xsdt, "XSDT", 1);
	build_close(&xsdt);
	phys_add_table(&memory, 0x100000, &xsdt);
	build_rsdp(machine.boot.rsdp, 2, 0, 0x100000);
	machine.boot.rsdp_length = 36;
	read_and_parse();
	assert_false(machine.has_madt);
	assert_int_equal(machine.log.count, 1);
	assert_true(has_anomaly(&machine.log, "MADT", 0, "no usable table: the boot CPU alone"));
}

static void bad_memory_is_not_read(void **state)
{
	(void)state;
	put_copy();
	boot_info_add_memory(&machine.boot, 0x101000, 0x1000, MEMORY_BAD); /* where the MADT is */
	machine_read_map(&machine);
	read_and_parse();
	assert_false(machine.has_madt);
	assert_true(has_anomaly(&machine.log, "XSDT", 36, "entry points to nothing readable"));
}

/* Without tables: the boot CPU with all RAM on one node, which the allocator knows from then on. */
static void joined_without_tables(void **state)
{
	(void)state;
	add_ram(0, GIB);
	assert_true(machine_read_map(&machine));
	machine_open_memory(&machine, image);
	read_and_parse();
	machine_join(&machine, &topology, 7);
	assert_ptr_equal(machine.topology, &topology);
	assert_int_equal(topology.node_count, 1);
	assert_int_equal(topology.cpu_count, 1);
	assert_int_equal(topology.cpus[0].apic_id, 7);
	assert_int_equal(topology.ram_pages, (GIB >> PAGE_SHIFT) - 0x60);
	assert_ptr_equal(machine.early.ram, topology.ram);
	assert_int_equal(machine.early.ram_count, topology.ram_count);
}

static void joined_with_tables(void **state)
{
	(void)state;
	add_ram(0, GIB);
	put_copy();
	assert_true(machine_read_map(&machine));
	machine_open_memory(&machine, image);
	read_and_parse();
	machine_join(&machine, &topology, 7);
	assert_int_equal(topology.cpu_count, 2); /* the MADT does not name the boot CPU */
	assert_int_equal(topology.cpus[0].apic_id, 7);
	assert_int_equal(topology.cpus[1].apic_id, ID_COPY);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_loaders_copy_goes_first),
		TEST(a_bad_rsdp_hides_no_good_one),
		TEST(a_good_rsdp_without_a_root_table_hides_no_good_one),
		TEST(then_the_address_it_gave),
		TEST(then_the_bios_area),
		TEST(the_search_goes_on_behind_an_rsdp_without_tables),
		TEST(a_broken_rsdp_at_the_address_is_passed_over),
		TEST(no_tables_at_all),
		TEST(no_map),
		TEST(the_bios_area_is_no_ram),
		TEST(unaccepted_ram_is_told),
		TEST(ram_out_of_reach_is_cut_off),
		TEST(ram_up_to_the_reach_stays),
		TEST(what_is_occupied_is_kept_from_the_allocator),
		TEST(ram_beyond_the_address_width_is_cut_off),
		TEST(what_tables_lie_in_is_kept_from_the_allocator),
		TEST(tables_move_to_another_reader),
		TEST(tables_without_a_madt),
		TEST(bad_memory_is_not_read),
		TEST(joined_without_tables),
		TEST(joined_with_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
