# SPDX-License-Identifier: GPL-2.0-only
"""Statements of `patch`, and the boot information that they change."""
import configparser
import struct
import types
import unittest

import boot_information as mbi
import declaration
import patch
import patching


def information(entries):
    body = struct.pack("<II", 24, 0) + b"".join(struct.pack("<QQII", *e, 0) for e in entries)
    tags = [(1, b"run=init\0"), (6, body), (14, b"RSD PTR " + bytes(12)), (0, b"")]
    data = b"".join(mbi.Tag(kind, tag).bytes() for kind, tag in tags)
    return struct.pack("<II", 8 + len(data), 0) + data


ENTRIES = [(0, 0x9f000, 1), (0x100000, 0x3f00000, 1), (0x4000000, 0x1000, 2)]


class Statements(unittest.TestCase):
    def setUp(self):
        self.state = types.SimpleNamespace(information=mbi.Information(information(ENTRIES)),
                                           tables=[bytearray(patch.checksummed(
                                               struct.pack("<4sI28x", b"APIC", 44) + bytes(8)))])

    def apply(self, *lines):
        for line in lines:
            patch.parse(line).apply(self.state)
        return self.state.information

    def test_nothing_changes_nothing(self):
        self.assertEqual(self.apply().bytes(), information(ENTRIES))

    def test_map(self):
        found = self.apply("map.cut 0x200000 1M", "map.add 1G 64M acpi", "map.add 2G 4K 9 2 8K")
        self.assertEqual(found.map, [
            [0, 0x9f000, 1], [0x100000, 0x100000, 1], [0x300000, 0x3d00000, 1],
            [0x4000000, 0x1000, 2], [1 << 30, 64 << 20, 3], [2 << 30, 4096, 9],
            [(2 << 30) + 8192, 4096, 9]])
        self.assertEqual(mbi.Information(found.bytes()).map, found.map)

    def test_long_entries(self):
        data = self.apply("mmap.entry_size 32", "mmap.version 1").bytes()
        self.assertEqual(len(data), len(information(ENTRIES)) + 3 * 8)
        self.assertEqual(mbi.Information(data).map, [list(e) for e in ENTRIES])

    def test_tags(self):
        self.assertEqual([t.kind for t in self.apply("tag.drop 1").tags], [6, 14, 0])
        data = self.apply("tag.size 14 7", "mbi.size 12").bytes()
        self.assertEqual(struct.unpack_from("<I", data)[0], 12)
        self.assertIn(struct.pack("<II8s", 14, 7, b"RSD PTR "), data)
        self.assertEqual(self.apply("rsdp.put 14 2 58").tag(14).body[:4], b"RSX ")

    def test_tables_have_right_checksums(self):
        self.apply("table.append APIC 0008 3", "table.put APIC 36 ff")
        table = self.state.tables[0]
        self.assertEqual((len(table), struct.unpack_from("<I", table, 4)[0], table[36]),
                         (50, 50, 0xff))
        self.assertEqual(sum(table) & 0xff, 0)
        self.apply("table.checksum APIC")
        self.assertNotEqual(sum(table) & 0xff, 0)

    def test_cpus(self):
        self.apply("table.append APIC 0008000301000000", "table.append APIC 0008000400000000",
                   "table.cpus 3 2 2 256")
        table = self.state.tables[0]
        self.assertEqual(patching.enabled_cpus([bytearray(44), table[:44] + table[52:]]),
                         [3, 4, 259, 260])
        self.assertEqual(sum(table) & 0xff, 0)

    def test_the_old_numbers_count_where_there_is_no_map(self):
        found = self.apply("map.clear")
        self.assertEqual(found.seen(), [])
        found.put(mbi.MEMINFO, struct.pack("<II", 639, 1024))
        self.assertEqual(found.seen(), [[0, 639 << 10, 1], [1 << 20, 1 << 20, 1]])
        self.assertEqual(found.tags[-1].kind, mbi.END)

    def test_usable(self):
        self.assertEqual(mbi.usable([[0x1800, 0x3000, 1], [0x3000, 1, 2], [0x2000, 0x6000, 1],
                                     [0x9000, 0, 1]]),
                         [(0x2000, 0x3000), (0x4000, 0x8000)])

    def test_what_is_refused(self):
        for line, why in (("map.ad 1 2 usable", "there are map.clear"),
                          ("map.add 1 2", "it is `map.add START SIZE TYPE"),
                          ("map.add 1 2 free", "no type of memory"),
                          ("map.cut 1 2X", "`2X` is no number"),
                          ("rsdp.put 14 0 0g", "are no bytes"), ("table.drop ap", "no signature"),
                          ("blob nothing", "no blob nothing"), ("tables ../x", "no name of a")):
            with self.assertRaisesRegex(patch.PatchError, why):
                patch.parse(line)

    def test_what_is_not_there(self):
        for line, why in (("tag.drop 15", "no tag 15"), ("rsdp.checksum 15", "no RSDP in tag 15"),
                          ("table.drop SRAT", "no table SRAT"),
                          ("table.put APIC 44 00", "44 bytes only")):
            with self.assertRaisesRegex(patch.PatchError, why):
                self.apply(line)

    def test_only_where_grub_loads(self):
        parser = configparser.ConfigParser()
        parser.read_string("[a]\nram = 1G\nfirmware = pvh\npatch = tag.drop 1")
        with self.assertRaisesRegex(declaration.DeclarationError, "patch is for GRUB"):
            declaration.parse_machine("a", parser["a"])
