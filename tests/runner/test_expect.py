# SPDX-License-Identifier: GPL-2.0-only
"""What declarations imply, against figures worked out by hand."""
import pathlib
import unittest

import declaration
import expect
import layout

MIB, GIB = layout.MIB, layout.GIB


def declare(**keys):
    parser = declaration.configparser.ConfigParser(interpolation=None)
    parser.read_dict({"m": {key: str(value) for key, value in keys.items()}})
    return declaration.parse_machine("m", parser["m"])


class Layout(unittest.TestCase):
    def test_all_below_the_device_hole(self):
        m = declare(ram="2815M", cpus=1)
        self.assertEqual(layout.node_ranges(m), [[(0, 2815 * MIB)]])

    def test_border_at_2_gib_from_2816_mib_on(self):
        m = declare(ram="2816M", cpus=1)
        self.assertEqual(layout.node_ranges(m), [[(0, 2 * GIB), (4 * GIB, 4 * GIB + 768 * MIB)]])

    def test_a_node_ends_where_the_hole_begins(self):
        m = declare(node0="ram=2G cpus=1", node1="ram=2G")
        self.assertEqual(layout.node_ranges(m), [[(0, 2 * GIB)], [(4 * GIB, 6 * GIB)]])

    def test_a_node_on_both_sides(self):
        m = declare(node0="ram=1G cpus=1", node1="ram=3G")
        self.assertEqual(layout.node_ranges(m)[1], [(1 * GIB, 2 * GIB), (4 * GIB, 6 * GIB)])

    def test_a_tebibyte_moves_above_the_hypertransport_hole(self):
        self.assertEqual(layout.high_start(declare(ram="160G", cpus=1)), 4 * GIB)
        self.assertEqual(layout.high_start(declare(ram="1024G", cpus=1)), 1 << 40)

    def test_apic_ids_with_gaps(self):
        m = declare(ram="1G", cpus=12, sockets=2, threads=2)  # three cores take two bits
        self.assertEqual(layout.node_cpus(m), [[0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13]])

    def test_no_node_without_ram_or_cpus_has_any(self):
        m = declare(node0="ram=1G cpus=1", node1="cpus=1", node2="ram=1G")
        self.assertEqual(layout.node_ranges(m)[1], [])
        self.assertEqual(layout.node_cpus(m), [[0], [1], []])


    def test_pieces_of_two_nodes(self):
        m = declare(node0="ram=3G cpus=1", node1="ram=1G", tables="own",
                    pieces="0:1G 1:1G 0:2G")
        self.assertEqual(layout.node_ranges(m)[0], [(0, 1 * GIB), (4 * GIB, 6 * GIB)])
        self.assertEqual(layout.node_ranges(m)[1], [(1 * GIB, 2 * GIB)])

    def test_pieces_again_and_again(self):
        m = declare(node0="ram=12M cpus=1", node1="ram=20M", tables="own",
                    pieces="0:3M 1:5M * 4")
        self.assertEqual(layout.node_ranges(m)[0],
                         [(8 * i * MIB, (8 * i + 3) * MIB) for i in range(4)])


class Facts(unittest.TestCase):
    def test_whole_pages(self):
        self.assertEqual(expect.whole_pages([(1, 3 * GIB), (4 * GIB, 5 * GIB - 1)], GIB), 2)

    def test_what_grub_takes_out(self):
        m = declare(ram="1G", firmware="bios", cut="0x10000000-0x10200000 0x3ff00000-0x40000000")
        self.assertEqual(expect.expected_machine(m, "").nodes[0].ranges,
                         [(0, 256 * MIB), (258 * MIB, 1023 * MIB)])

    def test_adopter_by_distance_then_latency(self):
        base = {"node0": "ram=1G cpus=1", "node1": "ram=1G cpus=1", "node2": "ram=1G"}
        near = declare(distance="10 20 30/20 10 17/30 17 10", **base)
        self.assertEqual(expect.expected_machine(near, "").nodes[2].adopter, 1)
        tie = declare(distance="10 20 25/20 10 25/25 25 10", latency="9 9 4/9 9 3/9 9 9",
                      bandwidth="1 1 1/1 1 1/1 1 1", **base)
        self.assertEqual(expect.expected_machine(tie, "").nodes[2].adopter, 1)
        plain = declare(**base)
        self.assertEqual(expect.expected_machine(plain, "").nodes[2].adopter, 0)

    def test_nodes_by_ascending_domain(self):
        declared = declare(node0="ram=1G cpus=2 pxm=77", node1="ram=1G cpus=1 pxm=5",
                           distance="10 31/30 10", tables="own")
        m = expect.expected_machine(declared, "")
        self.assertEqual([n.pxm for n in m.nodes], [5, 77])
        self.assertEqual(m.nodes[0].apic_ids, [2])
        self.assertEqual(m.distance, [[10, 30], [31, 10]])


class Declarations(unittest.TestCase):
    def test_our_own_machines(self):
        path = pathlib.Path(declaration.__file__).parent / "machines.cfg"
        machines = declaration.read_machines(path)
        self.assertTrue(all(m.summary for m in machines.values()))
        firsts = {m.firmware[0] for m in machines.values() if not m.slow}
        self.assertEqual(firsts, set(declaration.FIRMWARE))

    def refused(self, **keys):
        with self.assertRaises((declaration.DeclarationError, ValueError, KeyError)):
            declare(**keys)

    def test_nonsense_is_refused(self):
        self.refused(ram="2", cpus=1)
        self.refused(cpus=1)
        self.refused(ram="1G", colour="blue")
        self.refused(ram="1G", firmware="coreboot")
        self.refused(ram="1G", cpus=3, threads=2)
        self.refused(ram="1G", verdict="fine")
        self.refused(node0="ram=1G cpus=1 size=3")
        self.refused(node0="ram=1G cpus=1", node1="ram=1G", distance="10 20")
        self.refused(node0="ram=1G cpus=1 pxm=4")
        self.refused(node0="ram=1G cpus=1", latency="10")
        self.refused(node0="ram=1G cpus=1", latency="10", bandwidth="10", hmat="1")
        self.refused(node0="ram=1G cpus=1", latency="10", bandwidth="10", tables="own")
        self.refused(node0="ram=1G cpus=1", latency="10", bandwidth="10", tables="own", hmat="3")
        self.refused(node0="ram=1G cpus=1", tables="own", hmat="1")
        self.refused(node0="ram=1G cpus=1", latency="10", bandwidth="-")
        self.refused(node0="ram=1G cpus=1", node1="ram=1G initiator=0,1")
        self.refused(node0="ram=1G cpus=1", pieces="0:1G")
        self.refused(node0="ram=1G cpus=1", tables="own", pieces="0:1G 0:1M")
        self.refused(ram="1G", cut="0x100000-0x200000")
