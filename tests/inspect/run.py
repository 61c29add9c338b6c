#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs memmap-inspect on real and on broken tables.

The program is $MEMMAP_INSPECT, else build/host/memmap-inspect, its sanitized twin before it; real
tables are looked for in $MEMMAP_LAB_DATA or ../shared/data. The last line reads "N passed, N
failed[, N skipped]"."""

import os
import pathlib
import sys
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import broken  # noqa: E402
import options  # noqa: E402
import real  # noqa: E402
from tool import Tool  # noqa: E402

ROOT = HERE.parent.parent


def find_tool():
    host = ROOT / os.environ.get("BUILD", "build") / "host"
    built = [host / "memmap-inspect-sanitized", host / "memmap-inspect"]
    return Tool(os.environ.get("MEMMAP_INSPECT") or
                next((path for path in built if path.exists()), built[-1]))


def main():
    tool = find_tool()
    data = pathlib.Path(os.environ.get("MEMMAP_LAB_DATA") or ROOT / "../shared/data")
    if not tool.path.is_file():
        sys.exit("%s: not built" % tool.path)
    tests = options.tests() + broken.tests()
    skipped = 0
    if data.is_dir():
        tests += real.tests(data.resolve())
    else:
        skipped = 1
        print("SKIP real tables: no folder %s" % data)
    failed = 0
    for name, test in tests:
        try:
            test(tool)
        except Exception as problem:  # a missing key in the answer is a failure like any other
            failed += 1
            where = traceback.extract_tb(problem.__traceback__)[-1]
            print("FAIL %s: %s (%s:%d)" % (name, "%s: %s" % (type(problem).__name__, problem),
                                           os.path.basename(where.filename), where.lineno))
    print("%d passed, %d failed%s" % (len(tests) - failed, failed,
                                      ", %d skipped" % skipped if skipped else ""))
    return 1 if failed else 0


sys.exit(main())
