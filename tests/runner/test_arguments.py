# SPDX-License-Identifier: GPL-2.0-only
"""Arguments and declarations that make no sense end with a sentence, not with a trace."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import process

RUN = pathlib.Path(process.__file__).with_name("run.py")
MAKE_ISO = RUN.parents[2] / "tools/make-iso"


def run(*arguments):
    done = subprocess.run([sys.executable, RUN, *arguments], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stderr


class Refused(unittest.TestCase):
    def refused(self, words, *arguments):
        status, text = run(*arguments)
        self.assertNotIn(status, (0, None))
        self.assertIn(words, text)
        self.assertNotIn("Traceback", text)

    def declared(self, words, declaration):
        with tempfile.NamedTemporaryFile(suffix=".cfg") as file:
            file.write(declaration)
            file.flush()
            self.refused(words, "--print", "--machines", file.name)

    def test_numbers(self):
        for name in ("--jobs", "--timeout"):
            for value in ("0", "-1", "x"):
                self.refused(name, f"{name}={value}", "default")

    def test_files(self):
        self.refused("no kernel", "--kernel", "/nonexistent", "--qemu", "true", "default")
        self.refused("/nonexistent/log", "--kernel", sys.executable, "--qemu", "true",
                     "--log", "/nonexistent/log", "default")
        self.refused("/nonexistent", "--machines", "/nonexistent")

    def test_names(self):
        self.refused("there are:", "no-such-machine")
        self.refused("no program", "--qemu", "/nonexistent", "default")

    def test_declarations(self):
        self.declared("decode", b"[x]\nram=1G\nsummary=\xff\xfe\n")
        self.declared("no section headers", b"ram=1G\n")
        for key in (b"sockets", b"threads", b"cpus"):
            self.declared("1 at least", b"[x]\nram=1G\n" + key + b"=0\n")
        self.declared("1 at least", b"[x]\nnode0=ram=1G cpus=2\nnode1=ram=1G cpus=-1\n")
        self.declared("node1 comes next", b"[x]\nnode0=ram=1G cpus=2\nnode2-3=ram=1G\n")
        self.declared("node0 comes next", b"[x]\nnode3-0=ram=1G\n")


class Boot(unittest.TestCase):
    def boot(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, RUN.with_name("boot.py"), "--kernel", "/dev/null",
                 "--log", f"{folder}/log", *arguments, "one-cpu"],
                capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def test_no_qemu(self):
        self.assertIn("/nonexistent", self.boot("--qemu", "/nonexistent", "--firmware", "pvh"))

    def test_no_image(self):
        self.assertIn("no ' in", self.boot("--append", "it's"))


class MakeIso(unittest.TestCase):
    def test_usage(self):
        done = subprocess.run([MAKE_ISO], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr[:16]), (2, "usage: make-iso "))


if __name__ == "__main__":
    unittest.main()


class Skipped(unittest.TestCase):
    def test_an_old_qemu(self):
        with tempfile.TemporaryDirectory() as folder:
            qemu = pathlib.Path(folder, "qemu")
            qemu.write_text("#!/bin/sh\necho QEMU emulator version 7.2.22\n", encoding="ascii")
            qemu.chmod(0o755)
            done = subprocess.run([sys.executable, RUN, "--qemu", qemu, "--kernel", qemu, "x2apic"],
                                  capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "SKIP x2apic: QEMU 7 is older than 9\n"
                                      "0 passed, 0 failed, 1 skipped\n")
