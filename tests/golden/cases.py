"""The golden cases, as cases.cfg declares them, and their boots in a QEMU that counts instructions:
two boots of one kernel say the same on any host."""
import configparser
import dataclasses
import pathlib
import subprocess
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
TIMEOUT_S = 300


@dataclasses.dataclass
class Case:
    name: str
    machine: declaration.Machine
    firmware: str
    shift: int      # an instruction takes 2^shift ns, and as many cycles
    report: bool    # its report is kept in reports/


def read_cases(path=CASES, machines=MACHINES):
    parser = configparser.ConfigParser(interpolation=None, default_section="every case")
    with open(path, encoding="utf-8") as file:
        parser.read_file(file)
    cases = {}
    for name in parser.sections():
        section = parser[name]
        unknown = set(section) - KEYS
        if unknown:
            raise declaration.DeclarationError(f"{path}: [{name}]: unknown: {' '.join(unknown)}")
        declared = declaration.read_machines(machines)  # each case has a copy to change
        if section["machine"] not in declared:
            raise declaration.DeclarationError(f"{path}: [{name}]: no such machine")
        machine = declared[section["machine"]]
        machine.cmdline = section.get("cmdline", machine.cmdline)
        machine.icount = False  # the shift is the case's
        cases[name] = Case(name, machine, section["firmware"], section.getint("shift"),
                           section.getboolean("report", False))
    return cases


def boot(case, kernel, qemu, folder, log_name):
    """Boots `kernel` on the case's machine and keeps what it says in the file `log_name`. Returns the
    exit status, or why there is none."""
    kernel = pathlib.Path(kernel).resolve()
    machine = case.machine
    command.prepare(machine, case.firmware, kernel, "", folder)
    facts = types.SimpleNamespace(qemu=qemu, accel="tcg,thread=single", kernel=kernel, append="")
    words = command.qemu_command(machine, case.firmware, facts, folder)
    words += ["-icount", f"shift={case.shift},sleep=off", "-rtc", "base=2020-01-01,clock=vm"]
    with open(log_name, "wb") as log:
        last = machine.last.encode() + rb"[^\n]*\n" if machine.last else None
        result = process.run(words, TIMEOUT_S, log, last=last)
    return result.reason or result.status, result.seconds


Failed = (OSError, subprocess.CalledProcessError)
