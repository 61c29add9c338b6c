#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tests of the runner in tests/qemu and of tests/golden; the last line is `N passed, N failed`."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "qemu"), str(HERE.parent / "golden")]

suite = unittest.defaultTestLoader.discover(str(HERE))
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
failed = len(result.failures) + len(result.errors)
print(f"{result.testsRun - failed} passed, {failed} failed")
sys.exit(1 if failed or not result.testsRun else 0)
