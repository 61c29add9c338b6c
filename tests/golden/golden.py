#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Records what a kernel prints on the golden machines, and compares two recordings.

A change that is to change nothing a user sees is checked with

    tests/golden/golden.py record --kernel OLD.elf --out before
    tests/golden/golden.py record --kernel NEW.elf --out after
    tests/golden/golden.py compare before after

docs/golden.md says what is masked, and why."""
import argparse
import configparser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import cases        # noqa: E402
import comparing    # noqa: E402
import declaration  # noqa: E402
import masking      # noqa: E402

ABOUT = "recording.json"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    record = commands.add_parser("record", help="boot a kernel in all cases, keep what it says")
    record.add_argument("--kernel", type=pathlib.Path, required=True, metavar="ELF")
    record.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR")
    record.add_argument("--qemu", default=os.environ.get("QEMU", "qemu-system-x86_64"),
                        help="QEMU's program")
    compare = commands.add_parser("compare", help="mask two recordings and show what differs",
                                  epilog="Exits 1 where something differs.")
    compare.add_argument("before", type=pathlib.Path)
    compare.add_argument("after", type=pathlib.Path)
    compare.add_argument("--tolerance", type=float, default=1.0, metavar="PERCENT",
                         help="for masked numbers (default: 1)")
    compare.add_argument("--ignore-field", action="append", default=[], metavar="TYPE.FIELD",
                         help="a record's field that may differ, come or go")
    compare.add_argument("--ignore-record", action="append", default=[], metavar="TYPE",
                         help="records that may differ, come or go; no `seq` is compared then")
    compare.add_argument("--ignore-line", action="append", default=[], metavar="REGEX",
                         help="lines of text that may differ, come or go")
    compare.add_argument("--list", action="store_true",
                         help="show what was masked, how much of it was held, how far off it was")
    show = commands.add_parser("show", help="print one case of a recording, masked")
    show.add_argument("recording", type=pathlib.Path)
    show.add_argument("name")
    for command in record, compare:
        command.add_argument("--only", nargs="+", metavar="NAME", help="these cases")
    parser.add_argument("--cases", default=cases.CASES, help="declarations (default: cases.cfg)")
    return parser.parse_args()


def read_about(folder):
    try:
        return json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}


def record(options, known):
    options.out.mkdir(parents=True, exist_ok=True)
    about, seconds = read_about(options.out), 0
    pages = cases.image_pages(options.kernel)
    qemu = subprocess.run([options.qemu, "--version"], check=True, capture_output=True,
                          text=True).stdout.split("\n")[0]
    for name in options.only or known:
        case = known[name]
        with tempfile.TemporaryDirectory() as folder:
            result, end = cases.boot(case, options.kernel, options.qemu, folder)
            shutil.move(f"{folder}/serial.log", options.out / f"{name}.log")
        about[name] = {"case": case.description(), "qemu": qemu, "end": end, "image_pages": pages}
        (options.out / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        seconds += result.seconds
        print(f"{name}: {end}, {len(result.output)} bytes ({result.seconds:.1f} s)", flush=True)
    print(f"{len(options.only or known)} cases in {seconds:.0f} s")
    return 0


def described(name, before, after):
    """What differs before anything is compared."""
    if before is None or after is None:
        yield f"{name}: not recorded {'after' if before else 'before'}"
        return
    for key in "case", "qemu", "end":
        if before[key] != after[key]:
            yield f"{name}: another {key}\n  -{before[key]}\n  +{after[key]}"


def compare(options, known):
    ignored = masking.Ignored(options.ignore_field, options.ignore_record, options.ignore_line)
    about = read_about(options.before), read_about(options.after)
    total, report = comparing.Totals(), []
    names = options.only or list(dict.fromkeys([*about[0], *about[1]]))
    for name in names:
        entries = [entry.get(name) for entry in about]
        faults = list(described(name, *entries))
        if None not in entries:
            streams = [masking.mask((folder / f"{name}.log").read_bytes(), ignored)
                       for folder in (options.before, options.after)]
            grown = entries[1]["image_pages"] - entries[0]["image_pages"]
            comparison = comparing.Comparison(name, options.tolerance / 100, grown,
                                              name in known and known[name].alone)
            faults += comparison.compare(*streams)
            total += comparison.totals
        report += faults
    if report:
        print("\n".join(report).encode("utf-8", "replace").decode())
    if options.list:
        print("\n".join(total.table()))
    print(f"{len(names)} cases: {total.summary()}")
    return 1 if report or not names else 0


def show(options, _):
    for line in masking.mask((options.recording / f"{options.name}.log").read_bytes()):
        print(line.text)
    return 0


def main():
    options = arguments()
    try:
        known = cases.read_cases(options.cases)
        unknown = [name for name in getattr(options, "only", None) or [] if name not in known]
        if unknown:
            sys.exit(f"no case {' '.join(unknown)}; there are: {' '.join(known)}")
        sys.exit({"record": record, "compare": compare, "show": show}[options.command](
            options, known))
    except (OSError, configparser.Error, declaration.DeclarationError, re.error,
            subprocess.CalledProcessError) as error:
        sys.exit(f"golden: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
