# SPDX-License-Identifier: GPL-2.0-only
"""The rules' numbers of workers, against the published example and figures worked out by hand."""
import unittest

import judge_compare
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

    def test_several_initiators(self):
        """The fastest of those that are named for the memory, though another is faster."""
        keys = {"latency": "1 1 1 1 / 1 1 1 1 / 1 1 1 1 / 0 0 0 0", "tables": "own", "hmat": "1",
                **{f"node{i}": "ram=1G cpus=2" for i in range(3)}, "node3": "ram=1G initiator=0,1"}
        m = machine(**keys, bandwidth="50 0 0 10 / 0 50 0 20 / 0 0 50 30 / 0 0 0 0")
        self.assertEqual(judge_workers.hmat_initiator(m, 3), 1)
        m = machine(**keys, bandwidth="50 0 0 - / 0 50 0 0 / 0 0 50 30 / 0 0 0 0")
        self.assertEqual(judge_workers.hmat_initiator(m, 3), 2)


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


class Search(unittest.TestCase):
    def setUp(self):
        self.machine = machine(ram="2G", cpus=4, threads=2)
        self.search = {"type": "search", "steps": 2, "estimate_cycles": 2000, "cycles": 90,
                       "limit_cycles": 100}
        self.records = [self.search]
        for step, left, predicted in ((0, 95, 45), (1, 50, 50)):
            self.records.append({"type": "search_step", "step": step, "cycles": 44,
                                 "left_cycles": left, "predicted_cycles": predicted})
        for workers in (1, 2):
            self.records.append({"type": "curve", "node": 0, "workers": workers, "cycles": 9,
                                 "complete": False})

    def found(self):
        return list(judge_workers.check_search(self.machine, FakeStream(*self.records)))

    def test_good(self):
        self.assertEqual(self.found(), [])

    def test_what_is_wrong_is_noticed(self):
        for index, field, value in ((0, "steps", 1), (0, "limit_cycles", 101), (0, "cycles", 87),
                                    (1, "predicted_cycles", 96), (2, "step", 2),
                                    (2, "predicted_cycles", 51), (4, "workers", 3),
                                    (4, "complete", True)):
            self.setUp()
            self.records[index][field] = value
            self.assertNotEqual(self.found(), [], (index, field))


class Compare(unittest.TestCase):
    """Four CPUs on two cores: steps of 1 (quarter), 4 (all), 2 (the others), then 3."""
    WORKERS = {"quarter": 1, "all": 4, "cores": 2, "hmat": 2, "calibrated": 2, "auto": 2}
    STEPS = {"quarter": 0, "all": 1, "cores": 2, "hmat": 2, "calibrated": 2, "auto": 2}
    CYCLES = [400, 120, 200, 150]

    def setUp(self):
        self.machine = machine(ram="2G", cpus=4, threads=2, cmdline="policy=cores repeat=5")
        self.records = [
            {"type": "comparison", "steps": 4, "left_out": 0, "repetitions": 5, "cycles": 9,
             "limit_cycles": 1000},
            {"type": "siblings", "node": 0, "count": 5, "known": True, "low_milli": 1666,
             "median_milli": 1666, "high_milli": 1666},
            {"type": "node", "cpus_online": 4}]
        for name, workers in self.WORKERS.items():
            step = self.STEPS[name]
            self.records.append(rule(name, workers, step=step, ran_workers=workers,
                                     median_cycles=self.CYCLES[step], best_workers=4,
                                     best_median_cycles=120))
            self.records.append({"type": "rule_all", "rule": name, "best_median_cycles": 120,
                                 "median_cycles": self.CYCLES[step]})
        for rep in range(5):
            for step, workers in enumerate((1, 4, 2, 3)):
                self.records.append({"type": "compared", "step": step, "rep": rep, "node": 0,
                                     "asked_workers": workers, "swept": workers,
                                     "workers": workers, "pages": 1 << 18,
                                     "cycles": self.CYCLES[step]})

    def found(self):
        return list(judge_compare.check(self.machine, FakeStream(*self.records)))

    def test_good(self):
        self.assertEqual(self.found(), [])

    def test_every_field_is_noticed(self):
        for kind, fields in (("comparison", ("steps", "left_out", "repetitions")),
                             ("siblings", ("node", "count", "known", "low_milli", "median_milli",
                                           "high_milli")),
                             ("rule", ("workers", "step", "ran_workers", "median_cycles",
                                       "best_workers", "best_median_cycles")),
                             ("rule_all", ("median_cycles", "best_median_cycles")),
                             ("compared", ("step", "rep", "asked_workers", "swept", "workers",
                                           "pages"))):
            for field in fields:
                self.setUp()
                record = next(r for r in self.records if r["type"] == kind)
                record[field] = not record[field] if field == "known" else (
                    record[field] + (1 << 20))
                self.assertNotEqual(self.found(), [], (kind, field))

    def test_a_missing_record_is_noticed(self):
        for index, record in enumerate(self.records):
            if record["type"] in ("comparison", "siblings", "rule_all", "compared"):
                self.setUp()
                del self.records[index]
                self.assertNotEqual(self.found(), [], record)

    def test_nothing_is_compared_that_nobody_asked_for(self):
        self.machine = machine(ram="2G", cpus=4, cmdline="policy=zone")
        self.assertNotEqual(self.found(), [])


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
