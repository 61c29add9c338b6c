# SPDX-License-Identifier: GPL-2.0-only
"""Tables and memory maps of real machines: folders of $MEMMAP_LAB_DATA, else of ../shared/data."""
import os
import pathlib
import re
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = pathlib.Path(os.environ.get("MEMMAP_LAB_DATA", ROOT.parent / "shared/data"))
WORDS = {"usable": 1, "reserved": 2, "ACPI data": 3, "ACPI NVS": 4, "unusable": 5}


def there(name):
    return (DATA / name).is_dir()


def tables(name):
    """Byte by byte as they were."""
    return [bytearray(path.read_bytes()) for path in sorted((DATA / name).glob("*.dat"))]


def full_map(name):
    """[start, size, type] of its e820.txt."""
    found = []
    for line in (DATA / name / "e820.txt").read_text(encoding="utf-8").split("\n"):
        match = re.match(r"0x([0-9a-f]+)-0x([0-9a-f]+) (.*)", line.split("#")[0].strip())
        if match:
            start, end = int(match[1], 16), int(match[2], 16) + 1
            found.append([start, end - start, WORDS.get(match[3].strip(), 2)])
    return found


def srat_borders(name):
    """Addresses where a memory range of its SRAT starts [ACPI 6.5 5.2.16.2]."""
    found = set()
    for table in tables(name):
        at = 48 if table[:4] == b"SRAT" else len(table)
        while at + 2 <= len(table) and table[at + 1]:
            if table[at] == 1 and table[at + 1] == 40:
                found.add(struct.unpack_from("<Q", table, at + 8)[0])
            at += table[at + 1]
    return found


def thinned_map(name, keep):
    """Its map, where of each usable range, and of each part of one that is another node's, only the
    first `keep` bytes are left; nobody describes the rest."""
    found, borders = [], srat_borders(name)
    for start, size, what in full_map(name):
        if what != WORDS["usable"]:
            found.append([start, size, what])
            continue
        cuts = sorted({start, start + size} | {b for b in borders if start < b < start + size})
        found += [[a, min(keep, b - a), what] for a, b in zip(cuts, cuts[1:])]
    return found
