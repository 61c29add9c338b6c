# SPDX-License-Identifier: GPL-2.0-only
"""The statements of `patch` and what each changes; machines.cfg says what they mean."""
import dataclasses
import pathlib
import random
import re
import struct

import boot_information as mbi
import real_machine

BLOBS = pathlib.Path(__file__).resolve().parent / "blobs"


class PatchError(Exception):
    pass


def number(text):
    match = re.fullmatch(r"(0x[0-9a-f]+|\d+)([KMGT]?)", text)
    if not match:
        raise PatchError(f"`{text}` is no number such as 0x1000, 64 or 64M")
    return int(match[1], 0) << " KMGT".index(match[2] or " ") * 10


def kind(text):
    if text not in mbi.TYPES:
        raise PatchError(f"`{text}` is no type of memory: {' '.join(mbi.TYPES)}, or a number")
    return mbi.TYPES[text]


def memory_type(text):
    return number(text) if text.isdigit() else kind(text)


def octets(text):
    if not re.fullmatch(r"([0-9a-f]{2})+", text):
        raise PatchError(f"`{text}` are no bytes such as 0902ff")
    return bytes.fromhex(text)


def signature(text):
    if not re.fullmatch(r"[A-Z0-9]{4}", text):
        raise PatchError(f"`{text}` is no signature of a table")
    return text.encode()


def blob(text):
    if not (BLOBS / f"{text}.asm").is_file():
        raise PatchError(f"no blob {text} in {BLOBS.name}/")
    return BLOBS / f"{text}.asm"


def folder(text):
    if not re.fullmatch(r"[a-z0-9-]+", text):
        raise PatchError(f"`{text}` is no name of a folder")
    return text


def tables(state, name):
    given = real_machine.tables(name)
    names = {bytes(table[:4]) for table in given}
    state.tables = [table for table in state.tables if bytes(table[:4]) not in names] + given


def table_cpus(state, first, count, times=1, step=0):
    """Enabled x2APIC entries [ACPI 6.5 5.2.12.12]."""
    ids = [first + i * step + j for i in range(times) for j in range(count)]
    table_append(state, b"APIC", b"".join(struct.pack("<BBHIII", 9, 16, 0, i, 1, i) for i in ids))


def checksummed(table):
    """With the byte at 9 such that all add up to 0 [ACPI 6.5 5.2.6]."""
    table = bytearray(table)
    table[9] = (table[9] - sum(table)) & 0xff
    return table


def spoilt(table, at):
    table[at] ^= 0xff


def map_cut(state, start, size):
    rest = []
    for low, length, what in state.information.map:
        for a, b in ((low, min(low + length, start)), (max(low, start + size), low + length)):
            if a < b:
                rest.append([a, b - a, what])
    state.information.map = rest


def map_add(state, start, size, what, times=1, step=0):
    state.information.map += [[start + i * step, size, what] for i in range(times)]


def map_file(state, name, keep):
    state.information.map = real_machine.thinned_map(name, keep)


def rsdp(state, tag):
    found = state.information.tag(tag)
    if tag not in (mbi.RSDP_OLD, mbi.RSDP_NEW) or not found:
        raise PatchError(f"no RSDP in tag {tag}")
    return found.body


def rsdp_put(state, tag, offset, data):
    rsdp(state, tag)[offset:offset + len(data)] = data


def tag_of(state, tag):
    found = state.information.tag(tag)
    if not found:
        raise PatchError(f"no tag {tag}")
    return found


def tag_drop(state, tag):
    tag_of(state, tag)
    state.information.tags = [t for t in state.information.tags if t.kind != tag]


def tables_with(state, name):
    found = [i for i, table in enumerate(state.tables) if table[:4] == name]
    if not found:
        raise PatchError(f"the firmware has no table {name.decode()}")
    return found[0]


def table_change(state, name, change):
    index = tables_with(state, name)
    state.tables[index] = checksummed(change(bytearray(state.tables[index])))


def table_append(state, name, data, times=1):
    def change(table):
        table += data * times
        struct.pack_into("<I", table, 4, len(table))
        return table
    table_change(state, name, change)


def table_put(state, name, offset, data):
    def change(table):
        if offset + len(data) > len(table):
            raise PatchError(f"{name.decode()} has {len(table)} bytes only")
        table[offset:offset + len(data)] = data
        return table
    table_change(state, name, change)


@dataclasses.dataclass
class Rule:
    usage: str
    act: object             # what it does to a State, with the arguments
    kinds: list             # what reads each argument
    optional: int = 0       # how many of them may be left out
    tables: bool = False    # whether it is about ACPI tables: those come first


RULES = {
    "map.clear": Rule("", lambda state: state.information.map.clear(), []),
    "map.add": Rule("START SIZE TYPE [TIMES STEP]", map_add,
                    [number, number, memory_type, number, number], 2),
    "map.cut": Rule("START SIZE", map_cut, [number, number]),
    "map.shuffle": Rule("SEED", lambda state, seed:
                        random.Random(seed).shuffle(state.information.map), [number]),
    "map.file": Rule("FOLDER KEEP", map_file, [folder, number]),
    "mmap.entry_size": Rule("BYTES", lambda state, size:
                            setattr(state.information, "entry_bytes", size), [number]),
    "mmap.version": Rule("NUMBER", lambda state, version:
                         setattr(state.information, "version", version), [number]),
    "tag.drop": Rule("TAG", tag_drop, [number]),
    "tag.size": Rule("TAG BYTES", lambda state, tag, size:
                     setattr(tag_of(state, tag), "size", size), [number, number]),
    "mbi.size": Rule("BYTES", lambda state, size:
                     setattr(state.information, "total", size), [number]),
    "rsdp.checksum": Rule("TAG", lambda state, tag: spoilt(rsdp(state, tag), 8), [number]),
    "rsdp.extended": Rule("TAG", lambda state, tag: spoilt(rsdp(state, tag), 32), [number]),
    "rsdp.put": Rule("TAG OFFSET BYTES", rsdp_put, [number, number, octets]),
    "memory": Rule("ADDRESS BYTES", lambda state, address, data:
                   state.writes.append((address, data)), [number, octets]),
    "tables": Rule("FOLDER", tables, [folder], tables=True),
    "tables.at": Rule("ADDRESS TYPE", lambda state, address, what:
                      setattr(state, "place", (address, what)), [number, kind], tables=True),
    "table.drop": Rule("SIGNATURE", lambda state, name:
                       state.tables.pop(tables_with(state, name)), [signature], tables=True),
    "table.append": Rule("SIGNATURE BYTES [TIMES]", table_append, [signature, octets, number], 1,
                         tables=True),
    "table.put": Rule("SIGNATURE OFFSET BYTES", table_put, [signature, number, octets],
                      tables=True),
    "table.checksum": Rule("SIGNATURE", lambda state, name:
                           spoilt(state.tables[tables_with(state, name)], 9), [signature],
                           tables=True),
    "table.cpus": Rule("FIRST COUNT [TIMES STEP]", table_cpus, [number] * 4, 2, tables=True),
    "blob": Rule("NAME [NUMBER] [NUMBER]", lambda state, path, *numbers:
                 state.blobs.append((path, numbers)), [blob, number, number], 2),
}


@dataclasses.dataclass
class Statement:
    text: str
    rule: Rule
    arguments: list

    def apply(self, state):
        try:
            self.rule.act(state, *self.arguments)
        except PatchError as error:
            raise PatchError(f"patch `{self.text}`: {error}") from error


def parse(line):
    name, *words = line.split()
    if name not in RULES:
        raise PatchError(f"patch `{line}`: there are {' '.join(RULES)}")
    rule = RULES[name]
    if not len(rule.kinds) - rule.optional <= len(words) <= len(rule.kinds):
        raise PatchError(f"patch `{line}`: it is `{name} {rule.usage}`")
    try:
        return Statement(line, rule, [read(word) for read, word in zip(rule.kinds, words)])
    except PatchError as error:
        raise PatchError(f"patch `{line}`: {error}") from error


def arguments_of(statements, name):
    """Of the first statement of that name, or []."""
    return next((s.arguments for s in statements if s.text.split()[0] == name), [])


def folders(statements):
    """Of the real machines that they need."""
    return {name for s in statements for name, read in zip(s.arguments, s.rule.kinds)
            if read is folder}
