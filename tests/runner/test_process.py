# SPDX-License-Identifier: GPL-2.0-only
"""QEMU, or a wrapper of it, that will not end."""
import io
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import process

RUN = pathlib.Path(process.__file__).with_name("run.py")


def run(script, timeout):
    return process.run(["/bin/sh", "-c", script], timeout, io.BytesIO())


def is_running(pid):
    """A child of somebody gone may remain as a zombie where nobody collects it."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return "\nState:\tZ" not in status


def ends_soon(pid):
    for _ in range(100):
        if not is_running(pid):
            return True
        time.sleep(0.05)
    return False


class Ending(unittest.TestCase):
    def test_status_and_output(self):
        result = run("echo hello; exit 33", 60)
        self.assertEqual((result.status, result.output, result.reason), (33, b"hello\n", None))

    def test_deaf_program(self):
        result = run("trap '' TERM INT HUP; echo hello; while :; do sleep 1; done", 0.5)
        self.assertEqual((result.status, result.output), (-9, b"hello\n"))
        self.assertIn("no end within", result.reason)

    def test_silence(self):
        talks = "for i in 1 2 3 4 5 6; do echo hello; sleep 0.2; done"
        done = process.run(["/bin/sh", "-c", f"{talks}; exit 33"], None, io.BytesIO(), silence=1)
        self.assertEqual((done.status, done.reason), (33, None))
        for script in (f"{talks}; sleep 1000", "exec >&- 2>&-; exec sleep 1000"):
            done = process.run(["/bin/sh", "-c", script], None, io.BytesIO(), silence=1)
            self.assertEqual(done.reason, "no output for 1 s")
        done = process.run(["/bin/sh", "-c", talks], 0.5, io.BytesIO(), silence=100)
        self.assertEqual(done.reason, "no end within 0.5 s")

    def test_reader_that_is_away(self):
        talks = "for i in 1 2 3 4 5; do printf %04096d $i; done; exit 33"
        for once, seconds in ((True, 0.5), (False, 2)):
            result = process.run(["/bin/bash", "-c", talks], 60, io.BytesIO(),
                                 absence=process.Absence(0.5, once))
            self.assertEqual((result.status, len(result.output)), (33, 5 * 4096))
            self.assertGreater(result.seconds, seconds)

    def test_silent_program_that_closed_its_output(self):
        result = run("exec >&- 2>&-; exec sleep 1000", 0.5)
        self.assertIn("no end within", result.reason)

    def test_children_of_a_wrapper_end_with_it(self):
        for script in ("sleep 1000 & echo $!; wait", "sleep 1000 >&- 2>&- & echo $!"):
            result = run(script, 0.5)
            self.assertTrue(ends_soon(int(result.output)), script)


class Runner(unittest.TestCase):
    def test_a_machine_that_cannot_be_prepared_has_failed(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder) / "kernel.elf"
            kernel.write_bytes(b"no ELF")
            done = subprocess.run([sys.executable, RUN, "--kernel", kernel, "--qemu", "/bin/true",
                                   "--firmware", "bios", "one-cpu"], capture_output=True, text=True,
                                  check=False)
        self.assertEqual(done.stdout.split("\n")[-2], "0 passed, 1 failed", done.stderr)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
