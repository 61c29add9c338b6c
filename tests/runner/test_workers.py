"""The rules' numbers of workers, against the published example and figures worked out by hand."""
import unittest

import judge_workers
import plan
from test_plan import machine


class FakeStream:
    def __init__(self, *records):
        self.records = records

    def of(self, kind):
        return [r for r in self.records if r["type"] == kind]


def rule(rule, workers, **fields):
    return {"type": "rule", "node": 0, "rule": rule, "workers": workers, "used": rule, **fields}


class Hmat(unittest.TestCase):
    def test_the_published_example(self):
        self.assertEqual(judge_workers.hmat_workers(68000, 11200, 22), 6)

    def test_bounds(self):
        self.assertEqual(judge_workers.hmat_workers(68000, 11200, 4), 4)
        self.assertEqual(judge_workers.hmat_workers(5, 11200, 4), 1)
        self.assertEqual(judge_workers.hmat_workers(1500, 1000, 4), 2)
        self.assertEqual(judge_workers.hmat_workers(1499, 1000, 4), 1)

    def test_a_wrong_number_is_noticed(self):
        m = machine(node0="ram=2G cpus=8", latency="80", bandwidth="68000",
                    cmdline="policy=hmat core_mbps=11200")
        good = rule("hmat", 6, initiator=0, node_mbps=68000, core_mbps=11200)
        self.assertEqual(list(judge_workers.check_hmat(m, good, 8)), [])
        for field, value in (("workers", 7), ("initiator", 1), ("node_mbps", 68001),
                             ("core_mbps", 11201), ("used", "cores")):
            self.assertNotEqual(list(judge_workers.check_hmat(m, {**good, field: value}, 8)), [])

    def test_without_a_figure_there_must_be_a_reason(self):
        m = machine(node0="ram=2G cpus=8", cmdline="policy=hmat")
        row = rule("hmat", 8, node_mbps=0, core_mbps=9000)
        self.assertNotEqual(list(judge_workers.check_hmat(m, row, 8)), [])
        row.update(used="cores", reason="no HMAT")
        self.assertEqual(list(judge_workers.check_hmat(m, row, 8)), [])

    def test_initiators(self):
        keys = {"latency": "1 1 1 / 1 1 1 / 1 1 1", "node0": "ram=1G cpus=2",
                "node1": "ram=1G cpus=2", "node2": "ram=1G initiator=1"}
        m = machine(**keys, bandwidth="0 30 9 / 20 40 5 / 0 0 0")
        self.assertEqual([judge_workers.hmat_initiator(m, n) for n in range(3)], [1, 1, 1])
        m = machine(**keys, bandwidth="50 30 9 / 20 40 0 / 0 0 0")
        self.assertEqual([judge_workers.hmat_initiator(m, n) for n in range(3)], [0, 1, 0])
        self.assertIsNone(judge_workers.hmat_initiator(machine(ram="1G", cpus=1), 0))


class Calibrated(unittest.TestCase):
    def test_knee(self):
        self.assertEqual(judge_workers.knee([(1, 400), (2, 106), (4, 105), (8, 100)], True), 4)
        self.assertIsNone(judge_workers.knee([(1, 400), (2, 100)], False))
        self.assertEqual(judge_workers.knee([(1, 400), (2, 100), (4, 110)], False), 2)
        self.assertIsNone(judge_workers.knee([], True))

    def test_a_wrong_number_is_noticed(self):
        m = machine(ram="2G", cpus=4, threads=2)
        stream = FakeStream(*({"type": "curve", "node": 0, "workers": w, "cycles": c,
                               "complete": True} for w, c in ((1, 400), (2, 210), (4, 200))))
        for workers, good in ((2, True), (1, False), (4, False)):
            found = list(judge_workers.check_calibrated(m, stream, rule("calibrated", workers),
                                                        4, 2))
            self.assertEqual(found == [], good)
        row = {**rule("calibrated", 2), "used": "cores"}
        self.assertEqual(list(judge_workers.check_calibrated(m, FakeStream(), row, 4, 2)), [])


class Bandwidth(unittest.TestCase):
    def test_rows(self):
        self.assertEqual(judge_workers.sibling_rows(8, 4),
                         [(1, 1), (2, 1), (2, 2), (4, 2), (4, 4), (8, 4)])
        self.assertEqual(judge_workers.sibling_rows(6, 6), [(1, 1), (2, 2), (4, 4), (6, 6)])
        self.assertEqual(judge_workers.sibling_rows(6, 4), [(1, 1), (2, 2), (4, 4), (6, 4)])
        self.assertEqual(judge_workers.sibling_rows(1, 1), [(1, 1)])

    def test_off_by_more_than_two(self):
        self.assertFalse(judge_workers.off(200, 100))
        self.assertTrue(judge_workers.off(201, 100))
        self.assertTrue(judge_workers.off(100, 201))


class Plans(unittest.TestCase):
    def test_given_numbers_go_into_plans(self):
        m = machine(ram="4G", cpus=8, threads=2)
        self.assertEqual(plan.most_workers(m, 0, "cores"), 4)
        self.assertEqual(plan.most_workers(m, 0, "hmat"), 4)
        m.given = judge_workers.given(FakeStream(rule("hmat", 3), rule("auto", 9)))
        self.assertEqual(plan.most_workers(m, 0, "hmat"), 3)
        self.assertEqual(plan.most_workers(m, 0, "auto"), 8)
