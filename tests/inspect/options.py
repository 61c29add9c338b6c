# SPDX-License-Identifier: GPL-2.0-only
"""The command line and the memory map as text."""

import json
import os
import pathlib
import struct

import tables
from tool import expect, folder_of

GOOD = {"APIC": tables.madt([0, 1]),
        "SRAT": tables.srat(tables.srat_cpu(0, 0), tables.srat_cpu(1, 0),
                            tables.srat_memory(0, 1 << 32, 0))}


def no_folder_named(tool):
    expect("--tables PATH" in tool.refuse(), True, "message names the option")


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
    for option in ("--tables=PATH", "--e820=PATH", "--json"):
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
    for text in ("# nothing\n0x0-0x9ffff reserved\n", "", "0xa0000-0xfffff usable\n"):
        with folder_of(GOOD | {"map.txt": text}) as folder:
            message = tool.refuse("--tables", folder, "--e820", folder / "map.txt")
        expect("no RAM" in message, True, "message %r" % message)


FORMS = {
    "words": "0x0-0x9ffff  System RAM\n0xa0000-0xfffff device reserved\n"
             "0x100000-0x7fffffff usable\n",
    "dmesg": "[    0.000000] Linux version 6.19\n"
             "[    0.000000] BIOS-provided physical RAM map:\n"
             "[    0.000000] BIOS-e820: [mem 0x0000000000000000-0x00000000ffffffff]  System RAM\n"
             "[    1.000000] another boot follows\n"
             "[    0.000000] BIOS-provided physical RAM map:\n"
             "[    0.000000] BIOS-e820: [mem 0x0000000000000000-0x000000000009ffff]  System RAM\n"
             "[    0.000000] BIOS-e820: [gap 0x00000000000a0000-0x00000000000fffff]\n"
             "[    0.000000] BIOS-e820: [mem 0x0000000000100000-0x000000007fffffff]  System RAM\n"
             "[    0.000000] BIOS-e820: [mem 0x0000000080000000-0x00000000800fffff]  "
             "device reserved\n"
             "[    0.000001] e820: update [mem 0x0-0xfff] usable ==> reserved\n",
    "sizes": "BIOS-e820: [mem 0x0000000000000000-0x000000000009ffff]  640   KB  System RAM\n"
             "BIOS-e820: [gap 0x00000000000a0000-0x00000000000fffff]  384   KB\n"
             "BIOS-e820: [mem 0x0000000000100000-0x000000007fffffff]    2.0 GB  System RAM\n",
    "journal": "Dec 01 00:00:00 host kernel: BIOS-e820: [mem 0x0000000000000000-"
               "0x000000000009ffff] usable\nDec 01 00:00:00 host kernel: BIOS-e820: [mem "
               "0x0000000000100000-0x000000007fffffff] usable\n",
    "2010": "[    0.000000]  BIOS-e820: 0000000000000000 - 00000000000a0000 (usable)\n"
            "[    0.000000]  BIOS-e820: 00000000000e0000 - 0000000000100000 (reserved)\n"
            "[    0.000000]  BIOS-e820: 0000000000100000 - 0000000080000000 (usable)\n"
            "[    0.000000]  BIOS-e820: 0000000080000000 - 0000000080010000 (ACPI data)\n"
            "[    0.000000]  BIOS-e820: 0000000080010000 - 0000000080020000 type 20\n",
    "xen": "[    0.000000] Xen: [mem 0x0000000000000000-0x000000000009ffff] usable\n"
           "[    0.000000] Xen: [mem 0x0000000000100000-0x000000007fffffff] usable\n"
           "[    0.000000] Xen: using vcpuop timer interface\n",
    "iomem": "00000000-0009ffff : System RAM\n000a0000-000bffff : PCI Bus 0000:00\n"
             "000f0000-000fffff : System ROM\n00100000-7fffffff : System RAM\n"
             "  01000000-01ffffff : Kernel code\n80000000-8fffffff : Reserved\n"
             "fee00000-fee00fff : Local APIC\n  fee00000-fee00fff : Reserved\n"
             "100000000-1ffffffff : Soft Reserved\n  100000000-1ffffffff : dax0.0\n"
             "    100000000-1ffffffff : System RAM (kmem)\n",
}


def every_form_of_map(tool):
    for name, text in FORMS.items():
        with folder_of(GOOD | {"map.txt": text}) as folder:
            machine = tool.json(folder, folder / "map.txt")
        expect((machine["ram_source"], machine["pages"]), ("e820", 0xa0 + 0x7ff00), name)


def firmware_memmap(tool):
    """/sys/firmware/memmap: a folder for each entry."""
    with folder_of(GOOD) as folder:
        for number, (start, end, kind) in enumerate([
                (0, 0x9ffff, "System RAM"), (0x100000, 0x7fffffff, "System RAM"),
                (0x80000000, 0x80000fff, "ACPI Tables")]):
            entry = folder / "memmap" / str(number)
            entry.mkdir(parents=True)
            for name, value in (("start", hex(start)), ("end", hex(end)), ("type", kind)):
                (entry / name).write_text(value + "\n")
        machine = tool.json(folder, folder / "memmap")
        expect(machine["pages"], 0xa0 + 0x7ff00, "RAM")
        expect(machine["memory"][-1]["kind"], "acpi-data", "type")
        (entry / "type").unlink()
        message = tool.refuse("--tables", folder, "--e820", folder / "memmap")
        expect("entry 2" in message, True, "message %r" % message)


def address_width(tool):
    """RAM that the CPUs do not reach is left out, as in the kernel."""
    text = "0x100000-0x7fffffff usable\n0x200000000-0x27fffffff usable\n"
    with folder_of(GOOD | {"map.txt": text}) as folder:
        words = ["--tables", folder, "--e820", folder / "map.txt", "--json"]
        machine = json.loads(tool.run(*words, "--address-bits", "33").stdout)
        expect((machine["pages"], [a["reason"] for a in machine["anomalies"]
                                   if a["table"] == "memory"]),
               (0x7ff00, ["RAM beyond the CPU's address width is left out"]), "33 bits")
        machine = json.loads(tool.run(*words, "--address-bits=34").stdout)
        expect(machine["pages"], 0x7ff00 + 0x80000, "34 bits")
        for wrong in ("31", "53", "x", "", "33x"):
            tool.refuse(*words, "--address-bits", wrong)


def hidden_addresses(tool):
    text = 3 * "00000000-00000000 : System RAM\n"
    with folder_of(GOOD | {"map.txt": text}) as folder:
        message = tool.refuse("--tables", folder, "--e820", folder / "map.txt")
    expect("root" in message, True, "message %r" % message)


def one_static_file(tool):
    """It is copied to servers that have none of our libraries."""
    path = tool.path.with_name("memmap-inspect")
    if path.exists():
        elf = path.read_bytes()
        at, size, count = (struct.unpack_from(form, elf, offset)[0]
                           for form, offset in (("<Q", 32), ("<H", 54), ("<H", 56)))
        kinds = [struct.unpack_from("<I", elf, at + i * size)[0] for i in range(count)]
        expect(3 in kinds, False, "asks for a loader (PT_INTERP)")


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
             map_goes_before_srat, map_without_ram, every_form_of_map, firmware_memmap,
             hidden_addresses, address_width, one_static_file, every_field_is_documented]
    if os.path.exists("/dev/full"):
        cases.append(full_disk)
    return [("options: " + case.__name__, case) for case in cases]
