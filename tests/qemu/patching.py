# SPDX-License-Identifier: GPL-2.0-only
"""Stops a machine at the kernel's first instruction, and changes what the loader and the firmware
left there as `patch` declares."""
import dataclasses
import os
import pathlib
import struct
import subprocess
import threading
import time

import boot_information as mbi
import gdb
import patch

SOCKET = "debugger"
STOP_S = 60                 # within which the loader must come to the kernel
INFORMATION = 0xe00000      # where the changed boot information goes
TABLES = 0x1000000          # and changed tables, where `tables.at` says nothing
BLOB = 0x60000              # and blobs, one after the other
BLOB_BYTES = 0x1000
PAGE = 4096


def entry_of(elf):
    """The kernel's entry point, a physical address [ELF-64 e_entry]."""
    return struct.unpack_from("<Q", elf, 24)[0]


def socket_of(folder):
    """Its name must be short [unix(7)], so it is as seen from here."""
    return os.path.relpath(pathlib.Path(folder) / SOCKET)


def arguments(folder):
    """For QEMU."""
    return ["-S", "-chardev", f"socket,id=debugger,path={socket_of(folder)},server=on,wait=off",
            "-gdb", "chardev:debugger"]


@dataclasses.dataclass
class Given:
    """What the kernel was given, as changed."""
    map: list   # [start, size, type] of the entries
    cpus: list  # APIC ids that the MADT lists as enabled


def enabled_cpus(tables):
    """[ACPI 6.5 5.2.12.2, 5.2.12.12]; an entry too short for its kind ends the walk."""
    found, table = [], next((t for t in tables if t[:4] == b"APIC"), b"")
    at = 44
    while at + 2 <= len(table) and table[at + 1] >= 2:
        kind, size = table[at], table[at + 1]
        if kind in (0, 9):
            apic_id, flags = struct.unpack_from("<3xBI" if kind == 0 else "<4xII", table, at)
            if flags & 1 and apic_id not in found:
                found.append(apic_id)
        at += size
    return found


class State:
    """What is to be changed, before it is written back."""

    def __init__(self, stub, information):
        self.information = mbi.Information(information)
        self.tables = firmware_tables(stub, self.information)
        self.place = (TABLES, mbi.TYPES["acpi"])
        self.writes, self.blobs = [], []


def firmware_tables(stub, information):
    """All that the RSDT or XSDT names."""
    new, old = information.tag(mbi.RSDP_NEW), information.tag(mbi.RSDP_OLD)
    if new:
        root, size = struct.unpack_from("<Q", new.body, 24)[0], 8
    else:
        root, size = struct.unpack_from("<I", old.body, 16)[0], 4
    data = table_at(stub, root)
    pointers = [int.from_bytes(data[at:at + size], "little") for at in range(36, len(data), size)]
    return [bytearray(table_at(stub, pointer)) for pointer in pointers]


def table_at(stub, address):
    return stub.read(address, struct.unpack("<4xI", stub.read(address, 8))[0])


def checksum(data, at):
    data = bytearray(data)
    data[at] = -sum(data) & 0xff
    return bytes(data)


def place_tables(state):
    """Tables, then an RSDT and XSDT that name them, then RSDPs of both kinds [ACPI 6.5 5.2.5]."""
    address, what = state.place
    image, pointers = bytearray(), []
    for table in state.tables:
        pointers.append(address + len(image))
        image += table + bytes(-len(table) % 16)
    roots = []
    for name, form in ((b"RSDT", "I"), (b"XSDT", "Q")):
        if form == "I" and address >> 32:
            roots.append(0)  # which reaches no further than 4 GiB
            continue
        body = struct.pack(f"<{len(pointers)}{form}", *pointers)
        head = struct.pack("<4sIBB6s8sI4sI", name, 36 + len(body), 1, 0, b"MEMLAB", b"RUNNER  ",
                           1, b"LAB ", 1)
        roots.append(address + len(image))
        root = checksum(head + body, 9)
        image += root + bytes(-len(root) % 16)
    first = checksum(struct.pack("<8sB6sBI", b"RSD PTR ", 0, b"MEMLAB", 2, roots[0]), 8)
    state.information.put(mbi.RSDP_OLD, first)
    state.information.put(mbi.RSDP_NEW, checksum(
        first + struct.pack("<IQB3x", 36, roots[1], 0), 32))
    state.writes.append((address, bytes(image)))
    size = -(-len(image) // PAGE) * PAGE
    if what != mbi.TYPES["usable"]:
        patch.map_cut(state, address, size)
        patch.map_add(state, address, size, what)


def assemble(path, address, leave, numbers):
    """A blob's bytes; `leave` is where it goes at its end."""
    words = [f"-DORIGIN={address}", f"-DLEAVE={leave}"]
    words += [f"-DNUMBER{i}={value}" for i, value in enumerate((*numbers, 0, 0)[:2], 1)]
    done = subprocess.run(["nasm", "-f", "bin", "-o", "/dev/stdout", f"-I{path.parent}/", *words,
                           path], capture_output=True, check=False)
    if done.returncode or len(done.stdout) > BLOB_BYTES:
        raise patch.PatchError(f"{path.name}: {done.stderr.decode() or 'too long'}")
    return done.stdout


def change(machine, stub, entry):
    """With the machine stopped at the kernel's entry."""
    address = stub.register(gdb.EBX)
    if stub.register(gdb.EAX) != mbi.MAGIC:
        raise patch.PatchError("stopped where no Multiboot2 loader enters the kernel")
    size = struct.unpack("<I", stub.read(address, 4))[0]
    state = State(stub, stub.read(address, size))
    about_tables = [s for s in machine.patch if s.rule.tables]
    for statement in about_tables:
        statement.apply(state)
    others = [s for s in machine.patch if not s.rule.tables]
    whole_maps = [s for s in others if s.text.startswith(("map.file", "map.clear"))]
    for statement in whole_maps:
        statement.apply(state)
    if about_tables:
        place_tables(state)
    for statement in others:
        if statement not in whole_maps:
            statement.apply(state)
    for where, data in state.writes + [(INFORMATION, state.information.bytes())]:
        stub.write(where, data)
    stub.set_register(gdb.EBX, INFORMATION)
    for index, (path, numbers) in enumerate(state.blobs):
        here = BLOB + index * BLOB_BYTES
        after = entry if index + 1 == len(state.blobs) else here + BLOB_BYTES
        stub.write(here, assemble(path, here, after, numbers))
    if state.blobs:
        stub.set_register(gdb.ESP, BLOB)
        stub.set_register(gdb.EIP, BLOB)
    return Given(state.information.seen(), enabled_cpus(state.tables))


class Patching(threading.Thread):
    """Runs beside QEMU. `complaint` says why it failed, or is None."""

    def __init__(self, machine, kernel, folder):
        super().__init__(daemon=True)
        self.machine, self.complaint, self.given = machine, None, None
        self.entry = entry_of(pathlib.Path(kernel).read_bytes())
        self.path = socket_of(folder)
        pathlib.Path(self.path).unlink(missing_ok=True)

    def run(self):
        try:
            with gdb.Stub(self.path, time.monotonic() + STOP_S) as stub:
                stub.run_to(self.entry)
                self.given = change(self.machine, stub, self.entry)
                stub.leave()
        except (gdb.StubError, patch.PatchError, OSError, struct.error, ValueError,
                subprocess.CalledProcessError) as error:
            self.complaint = f"not patched: {error}"
