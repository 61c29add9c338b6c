# SPDX-License-Identifier: GPL-2.0-only
"""Steps and knees of the sweep, and rounding."""
import unittest

import judge_allocator
import judge_init
import judge_sweep
from layout import GIB, MIB


class Steps(unittest.TestCase):
    def test_worker_counts(self):
        for most, expected in ((1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 3, 4]),
                               (5, [1, 2, 3, 4, 5]), (6, [1, 2, 3, 4, 6]),
                               (10, [1, 2, 3, 4, 6, 8, 10]),
                               (52, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 52])):
            self.assertEqual(judge_sweep.worker_counts(most), expected)

    def test_chunk_sizes(self):
        self.assertEqual(judge_sweep.chunk_sizes(1023), [])
        self.assertEqual(judge_sweep.chunk_sizes(1024), [1024])
        self.assertEqual(judge_sweep.chunk_sizes(5000), [1024, 2048, 4096])
        self.assertEqual(judge_sweep.chunk_sizes(1 << 30)[-1], 2 * GIB // 4096)


class Knee(unittest.TestCase):
    def knee(self, *steps):
        """Each step: workers that took part, cycles of the repetitions."""
        found = judge_sweep.knee_of([
            {"step": step, "workers": workers, "cycles": cycles}
            for step, (workers, *runs) in enumerate(steps) for cycles in runs])
        return found["workers"], found["best_workers"]

    def test_within_five_percent(self):
        self.assertEqual(self.knee((1, 400), (2, 210), (3, 105), (4, 100)), (3, 4))
        self.assertEqual(self.knee((1, 400), (2, 210), (3, 106), (4, 100)), (4, 4))
        self.assertEqual(self.knee((1, 100), (2, 100)), (1, 1))

    def test_of_medians(self):
        self.assertEqual(self.knee((1, 90, 400, 400), (2, 100, 100, 900)), (2, 2))

    def test_steps_without_more_workers_do_not_count(self):
        self.assertEqual(self.knee((1, 400), (2, 200), (2, 100)), (2, 2))
        found = judge_sweep.knee_of([{"step": 0, "workers": 2, "cycles": 7},
                                     {"step": 1, "workers": 2, "cycles": 1}])
        self.assertEqual((found["median_cycles"], found["one_worker_median_cycles"]), (7, None))

    def test_slowest_node_of_each_run(self):
        self.assertEqual(sorted(judge_sweep.by_repetition(
            [{"rep": 0, "cycles": 5}, {"rep": 0, "cycles": 9}, {"rep": 1, "cycles": 2}])), [2, 9])


class Summaries(unittest.TestCase):
    def test_rounding(self):
        self.assertEqual(judge_init.summary([7]), {
            "count": 1, "mean_cycles": 7, "min_cycles": 7, "median_cycles": 7, "max_cycles": 7,
            "stddev_cycles": 0})
        self.assertEqual(judge_init.summary([4, 1, 2, 2]), {
            "count": 4, "mean_cycles": 2, "min_cycles": 1, "median_cycles": 2, "max_cycles": 4,
            "stddev_cycles": 1})  # mean 2.25, deviation 1.26
        self.assertEqual(judge_init.summary([1, 2])["mean_cycles"], 2)  # half up
        self.assertEqual(judge_init.summary([1, 2])["median_cycles"], 1)  # down

    def test_pageblocks(self):
        self.assertEqual(judge_allocator.pageblocks([(0, 1, 0), (1 * MIB, 2 * MIB, 0)]), 1)
        self.assertEqual(judge_allocator.pageblocks([(0, 3 * MIB, 0), (3 * MIB, 8 * MIB, 1)]), 4)

    def test_percentiles(self):
        self.assertEqual(judge_allocator.buckets_at({10: 99, 20: 1}, 50), (10, 10))
        self.assertEqual(judge_allocator.buckets_at({10: 99, 20: 1}, 99), (10, 20))
        self.assertEqual(judge_allocator.buckets_at({4: 1}, 99), (4, 4))
