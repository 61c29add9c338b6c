"""The command line as the kernel takes it, boot/cmdline.h."""
import unittest

import cmdline


class Options(unittest.TestCase):
    def test_defaults(self):
        self.assertEqual(cmdline.options("exit=qemu verbose"), cmdline.Options(
            experiments={"init"}, policies=list(cmdline.GENERATIONS), core_mbps=0, threads=0,
            chunk_pages=0, repeat=5, split="dynamic", place="local", vmemmap="2m", page_size=64,
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

    def test_what_is_refused(self):
        for word in ("threads=0", "threads=4097", "threads=+1", "threads=", "threads=1_0",
                     "chunk=3", "chunk=2", "chunk=131072", "policy=foo", "policy=node,", "policy=",
                     "run=all", "run=fast", "split=both", "place=here", "vmemmap=2M",
                     "page_size=48", "page_size=064", "store=nt", "repeat=101"):
            found = cmdline.options(word)
            self.assertEqual(found, cmdline.options("") if not word else
                             cmdline.Options(**(vars(cmdline.options("")) | {"refused": [word]})))
