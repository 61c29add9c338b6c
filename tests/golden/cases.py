# SPDX-License-Identifier: GPL-2.0-only
"""The golden cases, as cases.cfg declares them, and their boots in a QEMU that counts instructions:
two boots of one kernel say the same on any host."""
import configparser
import dataclasses
import pathlib
import struct
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "qemu"))
import command      # noqa: E402
import declaration  # noqa: E402
import process      # noqa: E402

CASES = HERE / "cases.cfg"
MACHINES = HERE.parent / "qemu/machines.cfg"
KEYS = {"machine", "firmware", "cmdline", "shift", "report"}
SHIFTS = range(11)  # that QEMU has
SAME_CPU = ",family=15,model=107,stepping=1"  # QEMU's releases differ in it
TIMEOUT_S = 600
PT_LOAD = 1


@dataclasses.dataclass
class Case:
    name: str
    machine: declaration.Machine
    firmware: str
    shift: int      # an instruction takes 2^shift ns, and as many cycles
    report: bool    # its report is kept in reports/

    @property
    def alone(self):
        """Nobody takes turns with its CPU."""
        return self.machine.cpus == 1

    def description(self):
        return (f"{self.machine.name}, {self.firmware}, shift {self.shift}: "
                f"{command.command_line(self.machine, '')}")


def parse_case(name, section, machine):
    unknown = set(section) - KEYS
    if unknown:
        raise declaration.DeclarationError(f"unknown keys: {' '.join(sorted(unknown))}")
    machine.cmdline = section.get("cmdline", machine.cmdline)
    machine.icount = False  # the case has its own
    if machine.cpu == "max":
        machine.cpu += SAME_CPU
    case = Case(name, machine, section.get("firmware", "pvh"), section.getint("shift"),
                section.getboolean("report", False))
    if case.firmware not in machine.firmware:
        raise declaration.DeclarationError(f"{machine.name} is not for {case.firmware}")
    if case.shift not in SHIFTS:
        raise declaration.DeclarationError(f"shift is 0 to {SHIFTS[-1]}")
    return case


def read_cases(path=CASES, machines=MACHINES):
    parser = configparser.ConfigParser(interpolation=None, default_section="every case")
    with open(path, encoding="utf-8") as file:
        parser.read_file(file)
    declared = declaration.read_machines(machines)
    cases = {}
    for name in parser.sections():
        section = parser[name]
        if section.get("machine") not in declared:
            raise declaration.DeclarationError(f"{path}: [{name}]: no machine of {machines}")
        machine = dataclasses.replace(declared[section["machine"]])
        try:
            cases[name] = parse_case(name, section, machine)
        except (declaration.DeclarationError, ValueError) as error:
            raise declaration.DeclarationError(f"{path}: [{name}]: {error}") from error
    return cases


def boot(case, kernel, qemu, folder):
    """Boots `kernel` on the case's machine, in `folder`. Returns the result of process.run and how
    it ended, in words."""
    kernel, machine = pathlib.Path(kernel).resolve(), case.machine
    command.prepare(machine, case.firmware, kernel, "", folder)
    facts = types.SimpleNamespace(qemu=qemu, accel="tcg,thread=single", kernel=kernel, append="")
    words = command.qemu_command(machine, case.firmware, facts, folder)
    words += ["-icount", f"shift={case.shift},sleep=off", "-rtc", "base=2020-01-01,clock=vm"]
    last = machine.last.encode() + rb"[^\n]*\n" if machine.last else None
    with open(f"{folder}/serial.log", "wb") as log:
        result = process.run(words, TIMEOUT_S, log, last=last)
    return result, result.reason or f"exit status {result.status}"


def image_pages(kernel):
    """Pages of 4 KiB that the kernel takes in memory, which are missing among the free ones."""
    elf = pathlib.Path(kernel).read_bytes()
    headers, = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    segments = [struct.unpack_from("<IIQQQQQQ", elf, headers + size * i) for i in range(count)]
    ends = [(s[4], s[4] + s[6]) for s in segments if s[0] == PT_LOAD]  # physical
    return (max(end for _, end in ends) - min(start for start, _ in ends) + 4095) // 4096
