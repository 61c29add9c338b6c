#!/usr/bin/python3
"""Boots one machine of machines.cfg and shows its tables as they come, for `make run` and
`make debug`. The whole stream goes to a log. Exits 0 only when the run ended as one that found
nothing wrong."""
import argparse
import os
import pathlib
import re
import subprocess
import sys

import command
import declaration
import process
import records

TIMEOUT_S = 600
ESCAPES = re.compile(rb"\x1b\[[0-9;?=]*[A-Za-z]|\x1b[()=>][0-9A-Za-z]?|[\x00-\x08\x0b-\x1f]")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--machines", default=here / "machines.cfg")
    parser.add_argument("--firmware", choices=declaration.FIRMWARE, default="bios")
    parser.add_argument("--qemu", default="qemu-system-x86_64")
    parser.add_argument("--accel", default="tcg,thread=multi")
    parser.add_argument("--kernel", type=pathlib.Path, required=True)
    parser.add_argument("--append", default="", metavar="CMDLINE")
    parser.add_argument("--log", type=pathlib.Path, required=True)
    parser.add_argument("--debug", action="store_true", help="wait for a debugger")
    parser.add_argument("name")
    return parser.parse_args()


class Screen:
    """Lines for a person: without records, and without what firmware does to a terminal."""

    def __init__(self):
        self.rest = b""

    def __call__(self, piece):
        *lines, self.rest = (self.rest + piece).split(b"\n")
        for line in lines:
            if not line.startswith(b"@"):
                text = ESCAPES.sub(b"", line).decode("utf-8", "replace")
                print(text.rstrip(), flush=True)


def goes_on(machine, append):
    """Whether QEMU is left running at the end, by the last exit= that counts."""
    words = re.findall(r"(?:^|\s)exit=(\S+)", command.command_line(machine, append))
    return machine.menu or words[-1] != "qemu"


def complaints(result, cmdline):
    if result.reason and result.reason != process.STOPPED:
        yield result.reason
    elif not result.reason and result.status != declaration.STATUS["ok"]:
        yield f"exit status {result.status} instead of {declaration.STATUS['ok']}"
    if re.search(r"(^|\s)(records=off|serial=none)(\s|$)", cmdline):
        return
    stream = records.Stream(result.output)
    yield from stream.problems
    verdicts = [r.get("verdict") for r in stream.of("end")]
    if verdicts and verdicts != ["ok"]:
        yield f"verdict {verdicts[-1]}"


def main():
    options = arguments()
    machines = declaration.read_machines(options.machines)
    if options.name not in machines:
        sys.exit(f"no machine {options.name}; there are: {' '.join(machines)}")
    machine = machines[options.name]
    folder = options.log.parent / "qemu" / f"{machine.name}-{options.firmware}"
    try:
        command.prepare(machine, options.firmware, options.kernel, options.append, folder)
    except (OSError, subprocess.CalledProcessError):
        sys.exit("the image could not be made")
    qemu = command.qemu_command(machine, options.firmware, options, folder)
    print(f"{machine.name}, {options.firmware}: {machine.summary}\n", flush=True)
    if options.debug:
        qemu += ["-s", "-S"]
        print(f"QEMU waits for:  gdb {os.path.relpath(options.kernel)} -ex 'target remote :1234' "
              "-ex 'hbreak kernel_main' -ex continue\n", flush=True)
    try:
        with open(options.log, "wb", buffering=0) as log:
            result = process.run(qemu, None if options.debug else TIMEOUT_S, log, Screen(),
                                 records.END if goes_on(machine, options.append) else None)
    except OSError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("\nended by the keyboard")
    found = list(complaints(result, command.command_line(machine, options.append)))
    for complaint in found:
        print(f"FAILED: {complaint}")
    print(f"\nThe whole stream, records included: {os.path.relpath(options.log)}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
