# SPDX-License-Identifier: GPL-2.0-only
"""Tables and memory maps of real machines: folders of $MEMMAP_LAB_DATA, else of ../shared/data."""
import os
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "tests/inspect"))

import layout  # noqa: E402
import expected  # noqa: E402

DATA = pathlib.Path(os.environ.get("MEMMAP_LAB_DATA", ROOT.parent / "shared/data"))
LARGE = 2 << 20
WORDS = {"usable": 1, "reserved": 2, "ACPI data": 3, "ACPI NVS": 4, "unusable": 5}


def there(name):
    return (DATA / name).is_dir()


def tables(name):
    """Byte by byte as they were."""
    return [bytearray(path.read_bytes()) for path in sorted((DATA / name).glob("*.dat"))]


def facts(name):
    """What other parsers found in its tables, or None."""
    path = DATA / name / "expected.txt"
    return expected.Expected(path.read_text(encoding="utf-8")) if path.is_file() else None


def ranges(known, pxm):
    """Of a domain, in `known` facts: (start, end) of what may be RAM, neighbours merged. What is
    for hot-plug counts where all is."""
    every = [m for d in known.domains.values() for m in d["memory"]
             if m[0] < m[1] and "nonvolatile" not in m[2]]
    cold = [m for m in every if "hotplug" not in m[2]] or every
    own = [m[:2] for m in known.domains[pxm]["memory"] if m in cold]
    return layout.merged(sorted(own))


def full_map(name):
    """[start, size, type] of its e820.txt; where that is not known, the ranges of its SRAT, without
    what no PC has as RAM."""
    found = []
    if not (DATA / name / "e820.txt").is_file():
        known = facts(name)
        found = [r for pxm in known.domains for r in ranges(known, pxm)]
        return [[start, end - start, WORDS["usable"]] for start, end in found] + [
            [0xa0000, 0x60000, WORDS["reserved"]]]
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


def memory_above(name, keep):
    """(start, size) of what it has of RAM from 4 GiB on, in whole large pages."""
    low = [(start // LARGE * LARGE, -(-(start + size) // LARGE) * LARGE)
           for start, size, what in thinned_map(name, keep) if what == 1 and start >= 1 << 32]
    return [(start, end - start) for start, end in sorted(low)]


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
