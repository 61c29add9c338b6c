#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Boots machines of machines.cfg in QEMU and judges each against what its declaration implies.

Without names: all machines that are not marked slow. Without --firmware each runs under its first.
The last line is `N passed, N failed[, N skipped]`."""
import argparse
import configparser
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import threading

import command
import declaration
import expect
import judge
import patch
import patching
import process
import real_machine
import records

ROOT = command.ROOT
LAST_LINES = 20


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve().parent
    build = pathlib.Path(os.environ.get("BUILD", ROOT / "build"))
    parser.add_argument("--machines", default=here / "machines.cfg", help="declarations")
    parser.add_argument("--firmware", choices=declaration.FIRMWARE)
    parser.add_argument("--qemu", default="qemu-system-x86_64", help="QEMU's program")
    parser.add_argument("--accel", default="tcg,thread=multi", help="QEMU's -accel")
    parser.add_argument("--kernel", type=pathlib.Path, default=build / "memmap-lab.elf")
    parser.add_argument("--append", default="", metavar="CMDLINE", help="more words for the kernel")
    parser.add_argument("--log", type=pathlib.Path, metavar="FILE",
                        help="keep the serial streams there instead of in qemu/ beside the kernel")
    parser.add_argument("--timeout", type=positive, metavar="S", help="seconds for each machine")
    parser.add_argument("--jobs", type=positive, default=1, help="machines at the same time")
    parser.add_argument("--print", action="store_true", help="show the QEMU commands, run nothing")
    parser.add_argument("--all", action="store_true", help="the slow machines too")
    parser.add_argument("--every-firmware", action="store_true",
                        help="each machine under all that it is declared for")
    parser.add_argument("names", nargs="*", metavar="NAME")
    return parser.parse_args()


def chosen(options, machines):
    """(machine, firmware) pairs to run."""
    unknown = [name for name in options.names if name not in machines]
    if unknown:
        sys.exit(f"no machine {' '.join(unknown)}; there are: {' '.join(machines)}")
    picked = [machines[name] for name in options.names] or [
        m for m in machines.values() if options.all or not m.slow]
    for machine in picked:
        if options.firmware:
            yield machine, options.firmware
        elif options.every_firmware:
            yield from ((machine, firmware) for firmware in machine.firmware)
        else:
            yield machine, machine.firmware[0]


def verdict_of(machine, firmware, options, result, log_name):
    """Complaints, the most telling first."""
    tail = result.output.decode("utf-8", "replace").split("\n")[-LAST_LINES:]
    expected = declaration.STATUS[machine.verdict]
    complaints, stopped = [], result.reason == process.STOPPED
    if result.reason and not stopped:
        complaints.append(result.reason)
    elif result.status != expected and not stopped:
        complaints.append(f"exit status: expected {expected}, came {result.status}")
    stream = records.Stream(result.output)
    complaints += judge.complaints(machine, firmware, options.append, stream)
    if complaints and result.status != expected:
        complaints += ["last lines:"] + ["  " + line.rstrip("\r") for line in tail if line.strip()]
    return complaints + ([f"the whole stream is in {log_name}"] if complaints else [])


def commander(machine, folder):
    """For process.run to call with the output as it comes: gives the monitor its command."""
    if not machine.monitor:
        return None
    pattern, order = machine.monitor
    heard, given = bytearray(), False

    def listen(piece):
        nonlocal given
        heard.extend(piece)
        if not given and re.search(pattern.encode(), heard):
            given = True
            # without waiting for a QEMU that has ended
            pipe = os.open(folder / "monitor.in", os.O_WRONLY | os.O_NONBLOCK)
            os.write(pipe, f"{order}\n".encode())
            os.close(pipe)
    return listen


def version_of(qemu):
    """Its major version, or 0."""
    said = subprocess.run([qemu, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.search(r"version (\d+)", said)
    return int(match[1]) if match else 0


def what_is_missing(machine, version):
    """Without which it cannot be run, or None."""
    absent = [f for f in patch.folders(machine.patch) if not real_machine.there(f)]
    if absent:
        return f"no {' '.join(absent)} in {real_machine.DATA}"
    return f"QEMU {version} is older than {machine.qemu}" if version < machine.qemu else None


def run_one(machine, firmware, options):
    folder = options.kernel.parent / "qemu" / f"{machine.name}-{firmware}"
    log_name = folder / "serial.log"
    command.prepare(machine, firmware, options.kernel, options.append, folder)
    last = machine.last.encode() or (records.END if machine.menu else None)
    change = patching.Patching(machine, options.kernel, folder) if machine.patch else None
    if change:
        change.start()
    with open(log_name, "wb", buffering=0) as log:
        result = process.run(command.qemu_command(machine, firmware, options, folder),
                             options.timeout or machine.timeout, log,
                             watch=commander(machine, folder), last=last,
                             absence=machine.away, stops=machine.stops)
    if change:
        change.join()
        if change.complaint:
            return result, [change.complaint]
        machine = dataclasses.replace(machine, given=change.given)
        machine.missing_cpus = machine.missing_cpus or expect.absent(machine)
    return result, verdict_of(machine, firmware, options, result, options.log or log_name)


class Reporter:
    """Prints results, and gathers the streams in one file where the user named one."""

    def __init__(self, options):
        self.lock = threading.Lock()
        self.passed = self.failed = self.skipped = 0
        self.log = open(options.log, "wb") if options.log else None  # closed with the process

    def skip(self, machine, missing):
        with self.lock:
            print(f"SKIP {machine.name}: {missing}", flush=True)
            self.skipped += 1

    def report(self, machine, firmware, result, complaints):
        with self.lock:
            state = "FAIL" if complaints else "PASS"
            print(f"{state} {machine.name} {firmware} ({result.seconds:.1f} s): {machine.summary}")
            for complaint in complaints:
                print(f"     {complaint}")
            sys.stdout.flush()
            self.passed += not complaints
            self.failed += bool(complaints)
            if self.log:
                self.log.write(f"== {machine.name} {firmware}\n".encode() + result.output)
                self.log.flush()


def main():
    options = arguments()
    try:
        machines = declaration.read_machines(options.machines)
    except (OSError, UnicodeError, configparser.Error, declaration.DeclarationError) as error:
        sys.exit(str(error))
    pairs = list(chosen(options, machines))
    if options.print:
        for machine, firmware in pairs:
            folder = options.kernel.parent / "qemu" / f"{machine.name}-{firmware}"
            print(shlex.join(map(str, command.qemu_command(machine, firmware, options, folder))))
        return
    if not shutil.which(options.qemu):
        sys.exit(f"no program {options.qemu}")
    if not options.kernel.exists():
        sys.exit(f"no kernel {options.kernel}: `make` builds it")
    try:
        reporter = Reporter(options)
    except OSError as error:
        sys.exit(f"--log: {error}")

    version = version_of(options.qemu)

    def work(pair):
        missing = what_is_missing(pair[0], version)
        if missing:
            reporter.skip(pair[0], missing)
            return
        try:
            reporter.report(*pair, *run_one(*pair, options))
        except (OSError, subprocess.CalledProcessError) as error:
            reporter.report(*pair, process.Result(None, b"", 0, None), [f"not run: {error}"])

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            list(pool.map(work, pairs))
        except KeyboardInterrupt:
            os._exit(130)  # at once: QEMU ends with its parent
    skipped = f", {reporter.skipped} skipped" if reporter.skipped else ""
    print(f"{reporter.passed} passed, {reporter.failed} failed{skipped}")
    sys.exit(1 if reporter.failed or not reporter.passed + reporter.skipped else 0)


if __name__ == "__main__":
    main()
