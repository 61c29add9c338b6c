#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs inputs that once broke this program: the folders of $MEMMAP_LAB_CASES, else of
../shared/cases. Each has a script `run PROJECT` that exits 0 when the right thing is done, or
machines of its own for tests/qemu/run.py.
The last line is `N passed, N failed[, N skipped]`."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = pathlib.Path(os.environ.get("MEMMAP_LAB_CASES") or ROOT / "../shared/cases")
SECONDS = 300

# What is not right yet, and why.
OPEN = {
    "04": "two media with the same image",
    "05": "an interval of five runs is one of 93.75 %",
    "06": "no serial port: nothing is shown on the screen",
    "09": "files copied to a FAT stick",
    "16": "run=bandwidth under emulation",
    "17": "the speed of the serial line",
}

# Cases name files as they were called; where one has moved its name is moved.
MOVED = {"mm/memory_map.": "mm/machine/memory_map."}

# Whose fault is covered by machines of tests/qemu with the same name: too long to run twice.
TWICE = {"pcp-trylock-tiny-node", "pcp-trylock-little"}


def moved(case, folder):
    """A copy of the case that names today's files."""
    copy = pathlib.Path(shutil.copytree(case, pathlib.Path(folder) / case.name, symlinks=True))
    shutil.copy(case.parent / "t.py", folder)
    for path in (p for p in copy.rglob("*") if p.is_file() and p.suffix in ("", ".c")):
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        for old, new in MOVED.items():
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    return copy


def machines_of(case):
    return [line[1:-2] for line in (case / "machines.cfg").open(encoding="utf-8")
            if line.startswith("[") and line != "[every machine]\n"]


def command_of(case, copy):
    if (case / "run").exists():
        return [copy / "run", ROOT]
    names = [name for name in machines_of(case) if name not in TWICE]
    return [ROOT / "tests/qemu/run.py", "--kernel", ROOT / "build/memmap-lab.elf", "--machines",
            case / "machines.cfg", *names]


def passes(case):
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, TMPDIR=folder)
        try:
            done = subprocess.run(command_of(case, moved(case, folder)), cwd=ROOT, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace",
                                  timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return False, f"no end within {SECONDS} s"
    return done.returncode == 0, done.stdout


def main():
    passed = failed = skipped = 0
    if not CASES.is_dir():
        print(f"SKIP all cases: {CASES} is missing")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    for case in sorted(p for p in CASES.iterdir() if p.is_dir()):
        if reason := OPEN.get(case.name[:2]):
            print(f"SKIP {case.name}: open: {reason}")
            skipped += 1
            continue
        good, output = passes(case)
        print(f"{'PASS' if good else 'FAIL'} {case.name}", flush=True)
        if not good:
            print("     " + "\n     ".join(output.splitlines()[-12:]))
        passed, failed = passed + good, failed + (not good)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
