#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Boots a machine with the SRAT, SLIT and HMAT of each real one, whose RAM and CPUs they do not
fit: firmware that describes another machine than it is on. The run must end well, with every frame
and CPU in one node, and the RAM within a proximity domain's ranges in that domain's node.

The tables are those in $MEMMAP_LAB_DATA, else in ../shared/data. The last line is
`N passed, N failed[, N skipped]`."""
import concurrent.futures
import os
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/qemu"))

import declaration  # noqa: E402
import expect  # noqa: E402
import process  # noqa: E402
import records  # noqa: E402

DATA = pathlib.Path(os.environ.get("MEMMAP_LAB_DATA", ROOT.parent / "shared/data"))
BUILD = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).absolute()
QEMU = os.environ.get("QEMU", "qemu-system-x86_64")
ACCEL = os.environ.get("ACCEL", "tcg,thread=multi")
JOBS, TIMEOUT_S, CPUS = 2, 120, 3
SRAT_FIRST, SRAT_ENABLED = 48, 1          # [ACPI 6.5 5.2.16]
CPU_APIC, MEMORY, CPU_X2APIC = 0, 1, 2    # [ACPI 6.5 5.2.16.1 to 5.2.16.3]


def sets_of_tables():
    """(name, files): for each SRAT, or for a machine without one, its folder's first others."""
    for folder in sorted(path for path in DATA.iterdir() if path.is_dir()):
        found = {b"SRAT": [], b"SLIT": [], b"HMAT": []}
        for file in sorted(folder.glob("*.dat")):
            found.get(file.read_bytes()[:4], []).append(file)
        others = found[b"SLIT"][:1] + found[b"HMAT"][:1]
        for srat in found[b"SRAT"]:
            yield f"{folder.name}/{srat.name}", [srat, *others]
        if others and not found[b"SRAT"]:
            yield folder.name, others


def srat_entries(files):
    """(type, bytes) of all entries of the SRAT, whole ones only."""
    for data in (file.read_bytes() for file in files):
        at = SRAT_FIRST if data[:4] == b"SRAT" else len(data)
        while at + 2 <= len(data) and 2 <= data[at + 1] <= len(data) - at:
            yield data[at], data[at:at + data[at + 1]]
            at += data[at + 1]


def srat_domains(files):
    """{domain: address ranges} of the SRAT's enabled entries; None where there is no SRAT."""
    domains = {}
    for kind, entry in srat_entries(files):
        ranges = []
        if kind == MEMORY:
            domain, start, length, flags = struct.unpack_from("<IxxQQxxxxI", entry, 2)
            ranges = [(start, start + length)]
        elif kind == CPU_APIC:
            domain, flags = entry[2] | int.from_bytes(entry[9:12], "little") << 8, entry[4]
        elif kind == CPU_X2APIC:
            domain, flags = struct.unpack_from("<IxxxxI", entry, 4)
        else:
            continue
        if flags & SRAT_ENABLED:
            domains.setdefault(domain, []).extend(ranges)
    return domains or None


def overlapping(domains):
    every = sorted(r for ranges in domains.values() for r in ranges)
    return any(a[1] > b[0] for a, b in zip(every, every[1:]))


def wrong_nodes(stream, domains):
    """Sentences on what is not as it must be with any tables at all."""
    nodes, cpus = stream.of("node"), stream.of("cpu")
    numbers = list(range(len(nodes)))
    usable = [(r["start"], r["end"]) for r in stream.of("range") if r["kind"] == "usable"]
    if [n["node"] for n in nodes] != numbers:
        yield "nodes are not numbered in order"
    if domains is not None and [n["pxm"] for n in nodes] != sorted(domains):
        yield f"domains {[n['pxm'] for n in nodes]} instead of {sorted(domains)}"
    if sum(n["pages"] for n in nodes) != expect.pages(usable):
        yield "the nodes' pages are not the usable ones"
    if len(cpus) != CPUS or not all(c["online"] and c["node"] in numbers for c in cpus):
        yield f"not all {CPUS} CPUs are online in a node"
    for node in nodes:
        if (node["adopter"] >= 0) != (node["pages"] > 0 and not node["cpus_online"]):
            yield f"node {node['node']} has adopter {node['adopter']}"
        ranges = domains.get(node["pxm"], []) if domains and not overlapping(domains) else []
        least = expect.pages(expect.overlap(usable, ranges))
        if node["pages"] < least:
            yield f"node {node['node']} has {node['pages']} pages of its domain's {least}"
    rows = {(d["from"], d["to"]): d["distance"] for d in stream.of("distance")}
    if sorted(rows) != [(a, b) for a in numbers for b in numbers]:
        yield "not one distance per pair of nodes"
    if any((a == b) != (distance == 10) for (a, b), distance in rows.items()):
        yield "a distance of 10 between nodes, or another within one"


def boot(name, files, folder):
    command = [QEMU, "-machine", "q35,memory-backend=ram", "-accel", ACCEL, "-cpu", "max",
               "-object", "memory-backend-ram,id=ram,size=8G,reserve=off", "-m", "8G",
               "-smp", str(CPUS), "-display", "none", "-nodefaults", "-no-reboot",
               "-serial", "stdio", "-device", "isa-debug-exit,iobase=0xf4,iosize=4",
               "-kernel", str(BUILD / "memmap-lab.elf"), "-append", "exit=qemu repeat=1"]
    for file in files:
        command += ["-acpitable", f"file={file}"]
    log_name = folder / (name.replace("/", "-") + ".log")
    with open(log_name, "wb") as log:
        result = process.run(command, TIMEOUT_S, log)
    stream = records.Stream(result.output)
    complaints = [result.reason] if result.reason else []
    if result.status != declaration.STATUS["ok"]:
        complaints.append(f"exit status {result.status}")
    complaints += stream.problems
    try:
        complaints += wrong_nodes(stream, srat_domains(files))
    except (KeyError, TypeError) as error:
        complaints.append(f"a record lacks or spoils a field: {error!r}")
    return complaints, log_name


def main():
    if not DATA.is_dir():
        print(f"SKIP no real tables in {DATA}\n0 passed, 0 failed, 1 skipped")
        return
    folder = BUILD / "qemu-real"
    folder.mkdir(parents=True, exist_ok=True)
    failed, sets = 0, list(sets_of_tables())
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = pool.map(lambda s: boot(*s, folder), sets)
        for (name, _), (complaints, log_name) in zip(sets, results):
            print(f"{'FAIL' if complaints else 'PASS'} {name}", flush=True)
            for complaint in complaints:
                print(f"     {complaint}")
            if complaints:
                print(f"     the whole stream is in {log_name}")
            failed += bool(complaints)
    print(f"{len(sets) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not sets else 0)


if __name__ == "__main__":
    main()
