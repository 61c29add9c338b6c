#!/usr/bin/python3
"""Records what a kernel prints on the golden machines."""
import argparse
import json
import os
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
import cases  # noqa: E402


def record(options):
    known = cases.read_cases(options.cases)
    options.out.mkdir(parents=True, exist_ok=True)
    about = options.out / "recording.json"
    kept = json.loads(about.read_text()) if about.exists() else {}
    total = 0
    for name in options.only or known:
        folder = options.out / "boot"
        status, seconds = cases.boot(known[name], options.kernel, options.qemu, folder,
                                     options.out / f"{name}.log")
        shutil.rmtree(folder)
        total += seconds
        kept[name] = status
        print(f"{name}: {status} ({seconds:.1f} s)", flush=True)
        about.write_text(json.dumps(kept, indent=1) + "\n")
    print(f"{total:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    rec = commands.add_parser("record")
    rec.add_argument("--kernel", type=pathlib.Path, required=True)
    rec.add_argument("--out", type=pathlib.Path, required=True)
    rec.add_argument("--only", nargs="+")
    rec.add_argument("--cases", default=cases.CASES)
    rec.add_argument("--qemu", default=os.environ.get("QEMU", "qemu-system-x86_64"))
    rec.set_defaults(run=record)
    options = parser.parse_args()
    options.run(options)


main()
