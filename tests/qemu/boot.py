#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
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
import patching
import process
import records

SILENCE_S = 600
KERNEL_SPEAKS = b", build "  # of the first line of every report
VERDICT = rb"\nverdict: (\w+):"
MEANING = {declaration.STATUS["fault"]: ": the lab found a fault",
           declaration.STATUS["panic"]: ": an exception or a failed assertion",
           declaration.STATUS["cut"]: ": a part of the report is lost"}
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
    parser.add_argument("--cpu", metavar="MODEL", help="QEMU's -cpu, instead of the machine's")
    parser.add_argument("--silence", type=int, default=SILENCE_S, metavar="S",
                        help=f"end after S seconds without output (default: {SILENCE_S}, 0: never)")
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


def word_of(line, key, values):
    """What holds for `key` at the end: the last of its right values."""
    words = re.findall(rf"(?:^|\s){key}=({'|'.join(values)})(?=\s|$)", line)
    return words[-1] if words else values[0]


class Run:
    """How a run ends that was started with command line `line`."""

    def __init__(self, machine, line):
        self.exit = "halt" if machine.menu else word_of(line, "exit", ("halt", "reboot", "qemu"))
        self.records = word_of(line, "records", ("on", "off")) == "on"
        self.silent = re.search(r"(^|\s)serial=none(\s|$)", line)

    def last(self):
        """After what QEMU is stopped, since it would halt or leave without a verdict."""
        if self.exit == "qemu":
            return None
        return records.END if self.records else VERDICT + rb"[^\n]*\n"

    def complaints(self, result):
        ok = declaration.STATUS["ok"]
        if result.reason and result.reason != process.STOPPED:
            yield result.reason
        elif not result.reason and result.status != ok:
            yield f"exit status {result.status} instead of {ok}" + \
                  MEANING.get(result.status, "")
        if self.silent:
            return
        if self.records:
            stream = records.Stream(result.output)
            yield from stream.problems
            verdicts = [r.get("verdict") for r in stream.of("end")]
        else:
            verdicts = [v.decode() for v in re.findall(VERDICT, result.output)]
        if verdicts and verdicts != ["ok"]:
            yield f"verdict {verdicts[-1]}"


def main():
    options = arguments()
    machines = declaration.read_machines(options.machines)
    if options.name not in machines:
        sys.exit(f"no machine {options.name}; there are: {' '.join(machines)}")
    machine = machines[options.name]
    machine.cpu = options.cpu or machine.cpu
    run = Run(machine, command.command_line(machine, options.append))
    folder = options.log.parent / "qemu" / f"{machine.name}-{options.firmware}"
    try:
        command.prepare(machine, options.firmware, options.kernel, options.append, folder)
    except (OSError, subprocess.CalledProcessError):
        sys.exit("the image could not be made")
    qemu = command.qemu_command(machine, options.firmware, options, folder)
    print(f"{machine.name}, {options.firmware}: {machine.summary}\n", flush=True)
    if options.debug and machine.patch:
        sys.exit("a machine with `patch` needs the debugger's place itself")
    if options.debug:
        qemu += ["-s", "-S"]
        print(f"QEMU waits for:  gdb {os.path.relpath(options.kernel)} -ex 'target remote :1234' "
              "-ex 'hbreak kernel_main' -ex continue\n", flush=True)
    change = patching.Patching(machine, options.kernel, folder) if machine.patch else None
    if change:
        change.start()
    try:
        with open(options.log, "wb", buffering=0) as log:
            result = process.run(
                qemu, None, log, Screen(), run.last(),
                None if options.debug else options.silence or None)
    except OSError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("\nended by the keyboard")
    found = list(run.complaints(result)) + ([change.complaint] if change and change.complaint
                                            else [])
    for complaint in found:
        print(f"FAILED: {complaint}")
    if found and options.accel.startswith("kvm") and KERNEL_SPEAKS not in result.output:
        print("The kernel did not begin. CPU= may name a model that KVM can run on this host; "
              "without ACCEL= QEMU emulates.")
    print(f"\nThe whole stream, records included: {os.path.relpath(options.log)}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
