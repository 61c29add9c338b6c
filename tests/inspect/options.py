# SPDX-License-Identifier: GPL-2.0-only
"""The command line and the memory map as text."""

import json
import os
import pathlib

import tables
from tool import expect, folder_of

GOOD = {"APIC": tables.madt([0, 1]),
        "SRAT": tables.srat(tables.srat_cpu(0, 0), tables.srat_cpu(1, 0),
                            tables.srat_memory(0, 1 << 32, 0))}


def no_folder_named(tool):
    expect("--tables DIR" in tool.refuse(), True, "message names the option")


def unknown_option(tool):
    with folder_of(GOOD) as folder:
        tool.refuse("--tables", folder, "--frobnicate")


def surplus_word(tool):
    with folder_of(GOOD) as folder:
        tool.refuse("--tables", folder, "surplus")


def option_without_value(tool):
    tool.refuse("--tables")


def help_is_no_error(tool):
    done = tool.run("--help")
    expect(done.returncode, 0, "exit status")
    for option in ("--tables=DIR", "--e820=FILE", "--json"):
        expect(option in done.stdout, True, option)


def no_such_folder(tool):
    expect("no-such-folder" in tool.refuse("--tables", "/no-such-folder"), True, "message")


def folder_is_a_file(tool):
    tool.refuse("--tables", __file__)


def no_such_map(tool):
    with folder_of(GOOD) as folder:
        message = tool.refuse("--tables", folder, "--e820", folder / "none.txt")
        expect("none.txt" in message, True, "message names the file")
        tool.refuse("--tables", folder, "--e820", folder)


RUBBISH = [
    ("0x0-0x9ffff usable\nrubbish\n", "line 2"),
    ("# a comment\n\n0x0-0x9ffff usable\n0x100000-0x1fffff tasty\n", "line 4"),
    ("0x200000-0x100000 usable\n", "line 1"),
    ("0x0-0xfffffffffffffffff usable\n", "line 1"),
    ("0x0 0x9ffff usable\n", "line 1"),
    ("\n" + 4000 * "x" + "\n", "line 2"),
    (b"0x0-0x9ffff usable\n\xff\xfe\x00\x01\n", "line 2"),
    (4097 * "0x0-0x9ffff usable\n", "line 4097"),
]


def rubbish_in_the_map(tool):
    for text, where in RUBBISH:
        with folder_of(GOOD | {"map.txt": text}) as folder:
            message = tool.refuse("--tables", folder, "--e820", folder / "map.txt")
            expect(where in message and "map.txt" in message, True, "message %r" % message)


def map_goes_before_srat(tool):
    text = "0x100000-0x1fffff usable\n0x0-0x9ffff usable # unsorted\n0x80000-0x8ffff reserved\n"
    with folder_of(GOOD | {"map.txt": text}) as folder:
        machine = tool.json(folder, folder / "map.txt")
    expect(machine["ram_source"], "e820", "source")
    expect([(r["start"], r["end"]) for r in machine["nodes"][0]["ranges"]],
           [(0, 0x80000), (0x90000, 0xa0000), (0x100000, 0x200000)], "ranges")


def map_without_ram(tool):
    with folder_of(GOOD | {"map.txt": "# nothing\n0x0-0x9ffff reserved\n"}) as folder:
        machine = tool.json(folder, folder / "map.txt")
    expect((machine["ram_source"], machine["pages"], machine["plan"]), ("none", 0, []), "RAM")
    expect(machine["cpus_enabled"], 2, "CPUs")


def full_disk(tool):
    with folder_of(GOOD) as folder, open("/dev/full", "w") as full:
        for form in ([], ["--json"]):
            done = tool.run("--tables", folder, *form, stdout=full)
            expect(done.returncode, 2, "exit status")


def fields(value):
    """Names of all fields, however deep."""
    if isinstance(value, list):
        return set().union(*map(fields, value))
    if isinstance(value, dict):
        return set(value).union(*map(fields, value.values()))
    return set()


def every_field_is_documented(tool):
    page = pathlib.Path(__file__).parents[2] / "docs/memmap-inspect.md"
    hmat = tables.hmat(tables.hmat_matrix(1, 100, [0], [0], [905]))
    with folder_of(GOOD | {"HMAT": hmat, "APIC2": GOOD["APIC"]}) as folder:
        machine = json.loads(tool.run("--tables", folder, "--json").stdout)
    text = page.read_text()
    expect(sorted(f for f in fields(machine) if "`%s`" % f not in text), [], "not in the page")
    expect(len(fields(machine)) > 50, True, "all kinds of entries are there")


def tests():
    cases = [no_folder_named, unknown_option, surplus_word, option_without_value,
             help_is_no_error, no_such_folder, folder_is_a_file, no_such_map, rubbish_in_the_map,
             map_goes_before_srat, map_without_ram, every_field_is_documented]
    if os.path.exists("/dev/full"):
        cases.append(full_disk)
    return [("options: " + case.__name__, case) for case in cases]
