# SPDX-License-Identifier: GPL-2.0-only
"""The QEMU command that is a declared machine."""
import os
import pathlib
import shutil
import subprocess

import loader
import patch
import patching
import real_machine
import tables

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OVMF = ("/usr/share/OVMF/OVMF_CODE_4M.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd")


def numa_arguments(machine):
    arguments, index = [], 0
    hmat = machine.latency is not None
    for number, node in enumerate(machine.nodes):
        words = f"node,nodeid={number}"
        if node.ram:
            arguments += ["-object",
                          f"memory-backend-ram,id=ram{number},size={node.ram},reserve=off"]
            words += f",memdev=ram{number}"
        if node.cpus:
            words += f",cpus={index}-{index + node.cpus - 1}"
            index += node.cpus
        elif hmat:
            words += f",initiator={node.initiators[0]}"
        arguments += ["-numa", words]
    for source, row in enumerate(machine.distance or []):
        for target, distance in enumerate(row):
            arguments += ["-numa", f"dist,src={source},dst={target},val={distance}"]
    for source in range(len(machine.nodes)) if hmat else []:
        for target in range(len(machine.nodes)):
            if not machine.nodes[source].cpus or not machine.nodes[target].ram:
                continue
            pair = f"hmat-lb,initiator={source},target={target},hierarchy=memory"
            latency, bandwidth = machine.latency[source][target], machine.bandwidth[source][target]
            arguments += ["-numa", f"{pair},data-type=access-latency,latency={latency}",
                          "-numa", f"{pair},data-type=access-bandwidth,bandwidth={bandwidth}M"]
    return arguments


def modules_above(machine):
    """(start, size) of memory that lies where a real machine's map has some above 4 GiB."""
    given = patch.arguments_of(machine.patch, "map.file")
    return real_machine.memory_above(*given) if given and real_machine.there(given[0]) else []


def room_for(machine):
    """Words of -m: each module may need a GiB more, for its alignment."""
    modules = modules_above(machine)
    top = max((start + size for start, size in modules), default=0)
    return f",slots={len(modules)},maxmem={(top >> 30) + len(modules) + 4}G" if modules else ""


def memory_above(machine):
    arguments = []
    for index, (start, size) in enumerate(modules_above(machine)):
        arguments += ["-object", f"memory-backend-ram,id=above{index},size={size},reserve=off",
                      "-device", f"pc-dimm,memdev=above{index},addr={start}"]
    return arguments


def firmware_arguments(machine, firmware, kernel, cmdline, folder):
    if firmware == "pvh":
        return ["-kernel", str(kernel), "-append", cmdline]
    arguments = ["-drive", f"file={folder}/boot.iso,format=raw,if=none,id=boot,readonly=on"]
    arguments += {"cd": ["-device", "ide-cd,drive=boot,bootindex=0"],
                  "usb": ["-device", "qemu-xhci", "-device", "usb-storage,drive=boot,bootindex=0"],
                  }[machine.medium]
    if firmware == "uefi":
        arguments += ["-drive", f"if=pflash,format=raw,readonly=on,file={OVMF[0]}",
                      "-drive", f"if=pflash,format=raw,file={folder}/vars.fd"]
    return arguments


def uart_arguments(machine, folder):
    if machine.stuck:
        return ["-chardev", f"pipe,id=console,path={folder}/stuck", "-serial", "chardev:console"]
    if machine.uart is None:
        return ["-serial", "none"]
    console = ["-chardev", "stdio,id=console,signal=off"]
    if machine.uart == 0x3f8:
        return console + ["-serial", "chardev:console"]
    index = [0x3f8, 0x2f8, 0x3e8, 0x2e8].index(machine.uart)
    return console + ["-device", f"isa-serial,chardev=console,index={index}"]


def command_line(machine, append):
    line = " ".join(filter(None, ["exit=qemu", machine.cmdline, append]))
    return line.rjust(machine.padded)


def make_image(machine, kernel, append, folder):
    words = [] if machine.menu else [command_line(machine, append)]
    if machine.load == "high":
        patched = pathlib.Path(folder) / "high.elf"
        patched.write_bytes(loader.prefer_high(pathlib.Path(kernel).read_bytes()))
        kernel = patched
    cuts = [f"cutmem 0x{start:x} 0x{end:x}" for start, end in machine.cut]
    modules = "memrw wrmsr" if machine.grub else ""
    subprocess.run([ROOT / "tools/make-iso", kernel, f"{folder}/boot.iso", *words,
                    *loader.write_modules(machine, folder)], check=True,
                   env=os.environ | {"GRUB_COMMANDS": "\n".join(cuts + machine.grub),
                                     "GRUB_MODULES": modules})


def make_pipes(folder, name):
    """Pipes that nobody empties: once full, they stop a serial port."""
    for end in ("in", "out"):
        pathlib.Path(f"{folder}/{name}.{end}").unlink(missing_ok=True)
        os.mkfifo(f"{folder}/{name}.{end}")


def prepare(machine, firmware, kernel, append, folder):
    """Makes the files that the command names."""
    os.makedirs(folder, exist_ok=True)
    for name, data in tables.made_for(machine):
        with open(f"{folder}/{name}.aml", "wb") as file:
            file.write(data)
    if machine.stuck:
        make_pipes(folder, "stuck")
    if machine.monitor:
        make_pipes(folder, "monitor")
    if firmware != "pvh":
        make_image(machine, kernel, append, folder)
    if firmware == "uefi":
        shutil.copyfile(OVMF[1], f"{folder}/vars.fd")


def qemu_command(machine, firmware, options, folder):
    """`options` has qemu, accel, kernel and append."""
    board = machine.machine + (",hmat=on" if machine.latency and not machine.hmat else "")
    accel = "tcg,thread=single" if machine.icount else options.accel
    command = [options.qemu, "-machine", board, "-accel", accel, "-cpu", machine.cpu,
               "-m", f"{machine.ram // 1024}K" + room_for(machine),
               "-smp", f"{machine.cpus},sockets={machine.sockets},cores={machine.cores},"
                       f"threads={machine.threads}",
               "-display", "none", "-nodefaults", "-no-reboot",
               "-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
    if machine.icount:
        command += ["-icount", "shift=0,sleep=off"]
    if machine.monitor:
        command += ["-chardev", f"pipe,id=monitor,path={folder}/monitor", "-mon", "monitor"]
    if machine.patch:
        command += patching.arguments(folder)
    command += uart_arguments(machine, folder) + (["-bios", machine.bios] if machine.bios else [])
    command += memory_above(machine)
    if machine.numa and not machine.own_tables:
        command += numa_arguments(machine)
    for name, _ in tables.made_for(machine):
        command += ["-acpitable", f"file={folder}/{name}.aml"]
    return command + firmware_arguments(machine, firmware, options.kernel,
                                        command_line(machine, options.append), folder)
