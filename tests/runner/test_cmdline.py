# SPDX-License-Identifier: GPL-2.0-only
"""The command line as the kernel takes it, lab/options.h."""
import unittest

import cmdline


class Options(unittest.TestCase):
    def test_defaults(self):
        self.assertEqual(cmdline.options("exit=qemu verbose"), cmdline.Options(
            experiments={"init"}, policies=list(cmdline.GENERATIONS), pcp=cmdline.PCP,
            free=cmdline.FREE, mappings=("4k", "2m"), size_mib=0, gather=0, max_active=0,
            fragment=0, core_mbps=0, threads=0, chunk_pages=0, repeat=5,
            split="dynamic", place="local", vmemmap="2m", page_size=64,
            store="plain", store_given=False, refused=[]))

    def test_the_baseline_always_runs(self):
        self.assertEqual(cmdline.options("policy=zone").policies, ["node", "zone"])
        self.assertEqual(cmdline.options("policy=all").policies, list(cmdline.POLICIES))
        self.assertEqual(cmdline.options("policy=async,serial").policies,
                         ["serial", "node", "async"])

    def test_whether_a_store_was_given(self):
        self.assertTrue(cmdline.options("store=plain store=nothing").store_given)
        self.assertFalse(cmdline.options("store=nothing").store_given)

    def test_the_last_right_value_counts(self):
        found = cmdline.options("repeat=2 repeat=7 repeat=0 chunk=64 run=init,sweep threads=3")
        self.assertEqual((found.repeat, found.chunk_pages, found.threads), (7, 16384, 3))
        self.assertEqual(found.experiments, {"init", "sweep"})
        self.assertEqual(found.refused, ["repeat=0"])

    def test_the_allocators_words(self):
        found = cmdline.options("run=pcp,free pcp=owned,none free=all map=2m size=64 gather=1030 "
                                "max_active=64 fragment=100")
        self.assertEqual((found.experiments, found.pcp, found.free, found.mappings),
                         ({"pcp", "free"}, ["none", "owned"], list(cmdline.FREE), ["2m"]))
        self.assertEqual((found.size_mib, found.gather, found.max_active, found.fragment),
                         (64, 1030, 64, 100))

    def test_what_is_refused(self):
        for word in ("threads=0", "threads=4097", "threads=+1", "threads=", "threads=1_0",
                     "chunk=3", "chunk=2", "chunk=131072", "policy=foo", "policy=node,", "policy=",
                     "run=all", "run=fast", "split=both", "place=here", "vmemmap=2M",
                     "pcp=order1", "free=none", "map=1g", "map=all", "size=0",
                     "size=67108865", "gather=0", "gather=65537", "max_active=0",
                     "max_active=4097", "fragment=101", "page_size=48", "page_size=064",
                     "store=nt", "repeat=101"):
            found = cmdline.options(word)
            self.assertEqual(found, cmdline.options("") if not word else
                             cmdline.Options(**(vars(cmdline.options("")) | {"refused": [word]})))
