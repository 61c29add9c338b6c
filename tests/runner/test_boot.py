# SPDX-License-Identifier: GPL-2.0-only
"""How `make run` ends, with a program in QEMU's place that prints a recorded run."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import process

BOOT = pathlib.Path(process.__file__).with_name("boot.py")
RECORDING = pathlib.Path(__file__).resolve().with_name("recorded.log")
TEXT = "grep -v ^@ " + str(RECORDING)


class Ending(unittest.TestCase):
    def boot(self, script, append="", *arguments):
        """Exit status and output."""
        with tempfile.TemporaryDirectory() as folder:
            qemu = pathlib.Path(folder) / "fake"
            qemu.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            qemu.chmod(0o755)
            done = subprocess.run(
                [sys.executable, BOOT, "--kernel", "/dev/null", "--firmware", "pvh", "--qemu", qemu,
                 "--log", f"{folder}/log", "--append", append, *arguments, "one-cpu"],
                capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def good(self, *arguments):
        status, text = self.boot(*arguments)
        self.assertNotIn("FAILED", text)
        self.assertEqual(status, 0)

    def bad(self, words, *arguments):
        status, text = self.boot(*arguments)
        self.assertIn(f"FAILED: {words}", text)
        self.assertEqual(status, 1)

    def test_by_itself(self):
        self.good(f"cat {RECORDING}; exit 33")
        self.good(f"cat {RECORDING}; exit 33", "exit=halt exit=qemu exit=nonsense")
        self.bad("exit status 0 instead of 33", f"cat {RECORDING}; exit 0")

    def test_a_fault_is_explained(self):
        self.bad("exit status 35 instead of 33: the lab found a fault",
                 f"cat {RECORDING}; exit 35")
        self.bad("exit status 37 instead of 33: an exception", f"cat {RECORDING}; exit 37")

    def test_halt_and_reboot(self):
        for mode in "halt", "reboot":
            self.good(f"cat {RECORDING}; exit 0", f"exit={mode}")
            self.good(f"cat {RECORDING}; exec sleep 1000", f"exit={mode}")
            self.good(f"{TEXT}; exec sleep 1000", f"records=off exit={mode}")
            self.bad("verdict fault", f"{TEXT} | sed s/^verdict:.ok/verdict:\\ fault/; sleep 1000",
                     f"records=off exit={mode}")

    def test_no_verdict(self):
        for append in "exit=reboot", "records=off exit=reboot":
            self.bad("", "exit 0", append)

    def test_silence(self):
        self.bad("no output for 1 s", "exec sleep 1000", "", "--silence", "1")

    def test_model(self):
        self.assertIn("-cpu EPYC,+x2apic ", self.boot("echo $@", "", "--cpu", "EPYC,+x2apic")[1])
        self.assertIn("-cpu max ", self.boot("echo $@", "", "--cpu", "")[1])

    def test_kvm(self):
        hint = "CPU= may name a model"
        self.assertIn(hint, self.boot("echo failed to set MSR; exit 1", "", "--accel", "kvm")[1])
        self.assertNotIn(hint, self.boot("exit 1", "")[1])
        self.assertNotIn(hint, self.boot(f"cat {RECORDING}; exit 35", "", "--accel", "kvm")[1])


if __name__ == "__main__":
    unittest.main()
