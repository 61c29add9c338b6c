# SPDX-License-Identifier: GPL-2.0-only
"""Policy auto on a node without CPUs, against figures worked out by hand."""
import unittest

import judge_shares
import plan
from test_plan import machine
from test_workers import FakeStream, rule

KEYS = {"node0": "ram=1G cpus=4", "node1": "ram=1G cpus=4", "node2": "ram=2G initiator=0",
        "distance": "10 20 20 / 20 10 20 / 20 20 10", "cmdline": "policy=auto",
        "latency": "1 1 1 / 1 1 1 / 1 1 1"}


def three(bandwidth="12000 6000 12000 / 6000 12000 4000 / 0 0 0", **keys):
    return machine(**{**KEYS, "bandwidth": bandwidth, **keys})


class Shares(unittest.TestCase):
    def test_by_the_largest_remainder(self):
        m = three()
        self.assertEqual([plan.lenders(m, 2, "auto", n) for n in (1, 2, 3, 4)],
                         [{0: 1}, {0: 2}, {0: 2, 1: 1}, {0: 3, 1: 1}])
        self.assertEqual(plan.lenders(m, 2, "auto", 7), {0: 4, 1: 3})  # no more than it has
        self.assertEqual(plan.lenders(m, 1, "auto", 4), {1: 4})
        self.assertEqual(plan.lenders(m, 2, "zone", 4), {0: 4})

    def test_equally_where_a_figure_is_missing(self):
        m = three("12000 6000 12000 / 6000 12000 0 / 0 0 0")
        self.assertEqual(plan.lenders(m, 2, "auto", 3), {0: 2, 1: 1})

    def test_only_the_nearest(self):
        m = three(distance="10 20 21 / 20 10 20 / 21 20 10")
        self.assertEqual(plan.nearest(m, 2, "auto"), [1])
        self.assertEqual(plan.lenders(m, 2, "auto", 4), {1: 4})


class Judged(unittest.TestCase):
    def stream(self, auto=4, lent=((0, 3), (1, 1))):
        rules = [{**rule(name, 4), "node": node, "used": "calibrated"} for node in (0, 1)
                 for name in ("calibrated", "auto")]
        rules += [{**rule("auto", auto), "node": 2}]
        plans = [{"type": "plan", "policy": "auto", "node": node, "workers": 4,
                  "deferred_pages": 9} for node in range(3)]
        rows = [{"type": "lent", "policy": "auto", "node": 2, "from": node, "workers": workers}
                for node, workers in lent]
        return FakeStream(*rules, *plans, *rows)

    def complaints(self, m, **changes):
        return list(judge_shares.check(m, self.stream(**changes)))

    def test_right(self):
        self.assertEqual(self.complaints(three()), [])
        self.assertEqual(self.complaints(three("12000 1 6000 / 1 9 2000 / 0 0 0"), auto=2), [])
        self.assertEqual(self.complaints(three("0 1 6000 / 1 9 2000 / 0 0 0")), [])

    def test_wrong_numbers_are_noticed(self):
        self.assertEqual(len(self.complaints(three(), auto=3)), 1)
        self.assertEqual(len(self.complaints(three(), lent=((0, 4),))), 1)
        self.assertEqual(len(self.complaints(three(), lent=((0, 1), (1, 3)))), 1)
        self.assertEqual(len(self.complaints(three(), lent=())), 1)
