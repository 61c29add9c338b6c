"""What declarations imply, against figures worked out by hand."""
import pathlib
import unittest

import declaration
import expect
import judge
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


class Plan(unittest.TestCase):
    def test_chunks_of_field_notes(self):
        sections = expect.SECTION_PAGES
        # 384 GiB node, 52 threads: 15-section chunks; 64 GiB, 16: 8; 4 GiB, 4: 2.
        self.assertEqual(expect.chunk_pages(3072 * sections, 52), 15 * sections)
        self.assertEqual(expect.chunk_pages(512 * sections, 16), 8 * sections)
        self.assertEqual(expect.chunk_pages(32 * sections, 4), 2 * sections)
        self.assertEqual(expect.chunk_pages(sections - 1, 4), sections)
        self.assertEqual(expect.chunk_pages(32 * sections, 4, 8 * sections), 8 * sections)

    def test_first_deferred(self):
        self.assertIsNone(expect.first_deferred([(0, 127 * MIB)]))
        self.assertEqual(expect.first_deferred([(0, 128 * MIB)]), 128 * MIB)
        self.assertEqual(expect.first_deferred([(0, 64 * MIB), (256 * MIB, 512 * MIB)]), 384 * MIB)
        self.assertEqual(expect.first_deferred([(1000 * MIB, 4096 * MIB)]), 1152 * MIB)

    def test_deferrable(self):
        self.assertEqual(expect.deferrable_pages([(0, 1 * GIB)]), 7 * expect.SECTION_PAGES)
        self.assertEqual(expect.deferrable_pages([(0, 64 * MIB)]), 0)

    def test_populated_sections(self):
        self.assertEqual(expect.populated_sections([(0, 1), (127 * MIB, 129 * MIB)]), 2)

    def test_policies(self):
        section = expect.SECTION_PAGES
        self.assertEqual(expect.options(""), (["node", "padata"], 0, 5, section))
        self.assertEqual(expect.options("policy=node repeat=2 threads=3"),
                         (["node"], 3, 2, section))
        self.assertEqual(expect.options("repeat=2 repeat=7 chunk=64"),
                         (["node", "padata"], 0, 7, section))
        self.assertEqual(expect.options("chunk=512")[3], 4 * section)

    def test_whole_pages(self):
        self.assertEqual(expect.whole_pages([(1, 3 * GIB), (4 * GIB, 5 * GIB - 1)], GIB), 2)

    def test_remote_sections(self):
        small = (1024 * MIB, 1025 * MIB, 1)
        self.assertEqual(expect.remote_sections([(0, GIB, 0), small, (1025 * MIB, 2 * GIB, 0)]), 1)
        self.assertEqual(expect.remote_sections([(0, GIB + MIB, 0), (GIB + MIB, 2 * GIB, 1)]), 0)

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


class Summaries(unittest.TestCase):
    def test_rounding(self):
        self.assertEqual(judge.summary([7]), {
            "count": 1, "mean_cycles": 7, "min_cycles": 7, "median_cycles": 7, "max_cycles": 7,
            "stddev_cycles": 0})
        self.assertEqual(judge.summary([4, 1, 2, 2]), {
            "count": 4, "mean_cycles": 2, "min_cycles": 1, "median_cycles": 2, "max_cycles": 4,
            "stddev_cycles": 1})  # mean 2.25, deviation 1.26
        self.assertEqual(judge.summary([1, 2])["mean_cycles"], 2)  # half up
        self.assertEqual(judge.summary([1, 2])["median_cycles"], 1)  # down


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
