# SPDX-License-Identifier: GPL-2.0-only
"""Who initialises what, against figures worked out by hand."""
import unittest

import expect
import memmap
import plan
from layout import GIB, MIB
from test_expect import declare

SECTION = plan.SECTION_PAGES


def machine(**keys):
    return expect.expected_machine(declare(**keys), "")


class Deferred(unittest.TestCase):
    def test_zones(self):
        self.assertEqual(plan.highest_zone([(0, 16 * MIB)]), (0, 16 * MIB))
        self.assertEqual(plan.highest_zone([(0, 16 * MIB + 1)]), (16 * MIB, 4 * GIB))
        self.assertEqual(plan.highest_zone([(0, 2 * GIB), (4 * GIB, 5 * GIB)]), (4 * GIB, 1 << 64))

    def test_only_the_highest_zone(self):
        # 16 MiB of ZONE_DMA do not count: a section's worth is there at 144 MiB
        self.assertEqual(plan.first_deferred([(0, 1 * GIB)]), 256 * MIB)
        self.assertEqual(plan.first_deferred([(0, 143 * MIB)]), None)
        self.assertEqual(plan.first_deferred([(0, 2 * GIB), (4 * GIB, 6 * GIB)]),
                         4 * GIB + 128 * MIB)
        self.assertEqual(plan.first_deferred([(0, 2 * GIB), (4 * GIB, 4 * GIB + 64 * MIB)]), None)

    def test_border_of_ranges_with_gaps(self):
        self.assertEqual(plan.first_deferred([(16 * MIB, 80 * MIB), (256 * MIB, 512 * MIB)]),
                         384 * MIB)
        self.assertEqual(plan.first_deferred([(1000 * MIB, 4096 * MIB)]), 1152 * MIB)
        self.assertEqual(plan.first_deferred([(1024 * MIB, 1152 * MIB)]), 1152 * MIB)
        self.assertIsNone(plan.first_deferred([]))

    def test_blocks_of_two_nodes(self):
        ram = [(0, 1001 * MIB, 0), (1001 * MIB, 2 * GIB, 1), (4 * GIB, 5 * GIB, 0)]
        self.assertEqual(plan.mixed_blocks(ram), [(1000 * MIB, 1004 * MIB)])
        self.assertEqual(plan.mixed_blocks([(0, 4 * MIB, 0), (4 * MIB, 8 * MIB, 1)]), [])
        self.assertEqual(plan.mixed_blocks([(0, 1 * MIB, 0), (3 * MIB, 8 * MIB, 1)]),
                         [(0, 4 * MIB)])

    def test_deferrable(self):
        ram = [(0, 1001 * MIB, 0), (1001 * MIB, 2 * GIB, 1)]
        self.assertEqual(plan.deferrable(ram, 0), [(256 * MIB, 1000 * MIB)])
        self.assertEqual(plan.deferrable(ram, 1), [(1152 * MIB, 2 * GIB)])
        self.assertEqual(plan.deferrable([(0, 64 * MIB, 0)], 0), [])

    def test_deferrable_between_many_mixed_blocks(self):
        ram = [(at * MIB, (at + size) * MIB, node) for i in range(128)
               for at, size, node in ((8 * i, 3, 0), (8 * i + 3, 5, 1))]
        self.assertEqual(plan.deferrable(ram, 0), [])
        # node 1 has 5 of each 8 MiB from 16 MiB on: 128 MiB of it lie below 219 MiB
        self.assertEqual(plan.deferrable(ram, 1)[:2],
                         [(260 * MIB, 264 * MIB), (268 * MIB, 272 * MIB)])

    def test_window(self):
        ram = [(0, 1001 * MIB, 0), (1001 * MIB, 2 * GIB, 1)]
        self.assertEqual(plan.largest_window(ram, 0), 6 * SECTION)
        self.assertEqual(plan.largest_window(ram, 1), 7 * SECTION)


class Chunks(unittest.TestCase):
    def test_chunks_of_field_notes(self):
        # 384 GiB node, 52 threads: 15-section chunks; 64 GiB, 16: 8; 4 GiB, 4: 2.
        self.assertEqual(plan.chunk_pages(3072 * SECTION, 52), 15 * SECTION)
        self.assertEqual(plan.chunk_pages(512 * SECTION, 16), 8 * SECTION)
        self.assertEqual(plan.chunk_pages(32 * SECTION, 4), 2 * SECTION)
        self.assertEqual(plan.chunk_pages(SECTION - 1, 4), SECTION)
        self.assertEqual(plan.chunk_pages(32 * SECTION, 4, 1024), 1024)

    def test_workers_of_a_job(self):
        self.assertEqual(plan.job_workers(3 * SECTION + 5, 8), 3)
        self.assertEqual(plan.job_workers(0, 8), 1)
        self.assertEqual(plan.job_workers(3 * SECTION, 8, 1024), 8)
        self.assertEqual(plan.job_workers(5 * SECTION, 8, 4 * SECTION), 1)

    def test_one_chunk_each(self):
        self.assertEqual(plan.static_chunk_pages(7 * SECTION, 3), 3 * SECTION)
        self.assertEqual(plan.static_chunk_pages(6 * SECTION, 3), 2 * SECTION)
        self.assertEqual(plan.static_chunk_pages(6 * SECTION + 1, 3), 3 * SECTION)


class Workers(unittest.TestCase):
    def most(self, m, node=0):
        return [plan.most_workers(m, node, policy) for policy in plan.RULES]

    def test_each_policy(self):
        # serial, node, ktask, padata, zone, lazy, async, cores; hmat, calibrated, auto untold
        m = machine(node0="ram=1G cpus=6", node1="ram=1G cpus=6")
        self.assertEqual(self.most(m), [1, 1, 2, 6, 6, 6, 5, 6, 6, 6, 6])
        self.assertEqual(self.most(m, 1), [1, 1, 2, 6, 6, 6, 6, 6, 6, 6, 6])

    def test_one_cpu_works_in_the_background_too(self):
        self.assertEqual(self.most(machine(ram="1G", cpus=1)), [1] * 11)

    def test_a_background_policy_serves_the_boot_node_from_elsewhere(self):
        m = machine(node0="ram=1G cpus=1", node1="ram=1G cpus=4", node2="ram=1G cpus=3",
                    distance="10 30 20 / 30 10 20 / 20 20 10")
        self.assertEqual(plan.most_workers(m, 0, "async"), 3)
        self.assertEqual(plan.most_workers(m, 0, "zone"), 1)

    def test_threads(self):
        m = machine(ram="1G", cpus=6, cmdline="threads=3")
        self.assertEqual(self.most(m), [1, 1] + [3] * 9)
        m = machine(node0="ram=1G cpus=2", node1="ram=1G cpus=3", cmdline="threads=3")
        self.assertEqual(self.most(m), [1, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2])
        m = machine(ram="1G", cpus=6, cmdline="threads=7")  # more than any node has
        self.assertEqual(self.most(m), [1, 1, 2, 6, 6, 6, 5, 6, 6, 6, 6])

    def test_adopted(self):
        m = machine(node0="ram=1G cpus=2", node1="ram=1G cpus=5", node2="ram=1G",
                    distance="10 20 30 / 20 10 17 / 30 17 10")
        self.assertEqual(self.most(m, 2), [1, 1, 2] + [5] * 8)

    def test_chunks_are_for_the_policies_that_are_compared(self):
        m = machine(ram="1G", cpus=2, cmdline="chunk=512")
        self.assertEqual([plan.exact_chunk(m, policy) for policy in ("serial", "node", "zone")],
                         [4 * SECTION, 0, 4 * SECTION])
        m = machine(ram="1G", cpus=2, cmdline="chunk=512 split=static")
        self.assertEqual(plan.exact_chunk(m, "zone"), 0)
        self.assertEqual([plan.is_static(m, policy) for policy in ("node", "zone")], [False, True])


class Placement(unittest.TestCase):
    THREE = [(0, GIB, 0), (GIB, 2 * GIB, 1), (4 * GIB, 5 * GIB, 2)]
    ROWS = [[10, 20, 20], [20, 10, 20], [20, 40, 10]]

    def test_homes(self):
        self.assertEqual(memmap.homes([(0, 1, 3), (127 * MIB, 129 * MIB, 1)]), {0: 3, 1: 1})

    def test_local(self):
        small = (1024 * MIB, 1025 * MIB, 1)
        local = lambda ram: memmap.remote_sections(ram, "local", self.ROWS)
        self.assertEqual(local([(0, GIB, 0), small, (1025 * MIB, 2 * GIB, 0)]), 1)
        self.assertEqual(local([(0, GIB + MIB, 0), (GIB + MIB, 2 * GIB, 1)]), 0)

    def test_remote(self):
        self.assertEqual(memmap.remote_sections(self.THREE, "remote", self.ROWS), 24)
        self.assertEqual(memmap.remote_sections([(0, GIB, 0)], "remote", [[10]]), 0)
        self.assertEqual(memmap.farthest(self.ROWS, 0, {0, 1, 2}), 1)  # the next by number
        self.assertEqual(memmap.farthest(self.ROWS, 1, {0, 1, 2}), 2)
        self.assertEqual(memmap.farthest(self.ROWS, 2, {0, 2}), 0)

    def test_interleaved(self):
        # sections 0 to 7 are node 0's: all but 0, 3 and 6 lie elsewhere, and so on
        self.assertEqual(memmap.remote_sections(self.THREE, "interleave", self.ROWS), 16)

    def test_pages_that_map_it(self):
        one, two = [(0, GIB, 0), (4 * GIB, 6 * GIB, 0)], [(0, GIB, 0), (4 * GIB, 6 * GIB, 1)]
        self.assertEqual(memmap.mapped_pages(one, "4k"), (24 * 512, 0, 0))
        self.assertEqual(memmap.mapped_pages(one, "2m"), (0, 24, 0))
        self.assertEqual(memmap.mapped_pages(one, "1g"), (0, 0, 1))
        self.assertEqual(memmap.mapped_pages(two, "1g"), (0, 24, 0))
        self.assertEqual(memmap.mapped_pages([*two, (64 * GIB, 65 * GIB, 1)], "1g"), (0, 24, 1))
        self.assertEqual(memmap.mapped_pages([(MIB, GIB, 0)], "1g"), (0, 8, 0))
