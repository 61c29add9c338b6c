# SPDX-License-Identifier: GPL-2.0-only
"""Real machines: what other parsers and Linux found there must be found here."""

import csv
import functools
import struct

import facts
from expected import Expected
from tool import PAGE, anomalies, expect, folder_of


def inclusive(ranges):
    return [(r["start"], r["end"] - 1) for r in ranges]


def merged(ranges):
    """Ranges (first byte, last byte), neighbours joined."""
    result = []
    for start, end in sorted(ranges):
        if result and result[-1][1] + 1 == start:
            start = result.pop()[0]
        result.append((start, end))
    return result


def check_cpus_and_distances(machine, want):
    ids = want.apic_ids()
    if want.madt_ids is not None:
        expect([c["apic_id"] for c in machine["cpus"]], ids, "APIC ids in table order")
    expect(sorted(c["apic_id"] for c in machine["cpus"]), sorted(ids), "APIC ids")
    expect(machine["cpus_enabled"], len(ids), "CPUs")
    for pxm, domain in want.domains.items():
        own = [c["apic_id"] for c in machine["cpus"] if c["pxm"] == pxm]
        expect(sorted(own), sorted(domain["cpus"]), "CPUs of domain %d" % pxm)
    if want.domains:
        expect([n["pxm"] for n in machine["nodes"]], sorted(want.domains), "domains")
    if want.slit:
        expect(machine["distances"], want.slit, "distances")
    expect(machine["distances_from_slit"], bool(want.slit), "source of the distances")


def mcfg_windows(table):
    """Where PCI's configuration space is mapped."""
    entries = struct.iter_unpack("<QHBB4x", table[44:])
    return [(base + (first << 20), base + (last + 1 << 20)) for base, _, first, last in entries]


def tables_alone(folder, tool):
    """Without a memory map."""
    want = Expected((folder / "expected.txt").read_text())
    if (folder / "mcfg.dat").exists():
        want.devices += mcfg_windows((folder / "mcfg.dat").read_bytes())
    machine = tool.json(folder)
    check_cpus_and_distances(machine, want)
    expect(machine["ram_source"] == "srat", any(want.ram(p) for p in want.domains), "source")
    for node in machine["nodes"]:
        if want.domains:
            expect([(r["start"], r["end"]) for r in node["ranges"]], want.ram(node["pxm"]),
                   "RAM of domain %d" % node["pxm"])


def with_map(folder, tool):
    machine = tool.json(folder, folder / "e820.txt")
    expect(machine["ram_source"], "e820", "source")
    if (folder / "expected.txt").exists():
        check_cpus_and_distances(machine, Expected((folder / "expected.txt").read_text()))
    if folder.name in facts.RAM:
        expect([inclusive(n["ranges"]) for n in machine["nodes"]],
               [merged(ranges) for ranges in facts.RAM[folder.name]], "RAM of the nodes")
    if folder.name in facts.TOTAL_PAGES:
        expect([n["pages"] for n in machine["nodes"]], facts.TOTAL_PAGES[folder.name], "pages")


def no_machine(folder, tool):
    tool.refuse("--tables", folder)


def first_of_two_srats(data, tool):
    folder = data / "desktop-dell-t5810-two-srat"
    machine = tool.json(folder, folder / "e820.txt")
    found = anomalies(machine, "SRAT", "second")
    expect([a["file"] for a in found], ["srat2-zero-length-tail.dat"], "the second is ignored")
    expect([t["file"] for t in machine["tables"] if t["signature"] == "SRAT"], ["srat.dat"], "used")


def srat_with_zero_length_entry(data, tool):
    """The second SRAT alone: read up to the zero at offset 4424, and said so."""
    folder = data / "desktop-dell-t5810-two-srat"
    with folder_of({"srat.dat": (folder / "srat2-zero-length-tail.dat").read_bytes(),
                    "apic.dat": (folder / "apic.dat").read_bytes()}) as copy:
        machine = tool.json(copy, folder / "e820.txt")
    expect([a["offset"] for a in anomalies(machine, "SRAT", "length")], [4424], "offset")
    expect([n["pages"] for n in machine["nodes"]],
           facts.TOTAL_PAGES["desktop-dell-t5810-two-srat"], "pages")


def empty_enabled_ranges(data, tool):
    machine = tool.json(data / "vm-grace-zero-size-hotplug")
    expect([(n["pxm"], n["pages"], n["cpus"]) for n in machine["nodes"]],
           [(pxm, 0, 0) for pxm in range(2, 10)], "8 empty nodes")
    found = anomalies(machine, "SRAT", "length 0")
    expect(len(found) + machine["anomalies_dropped"], 8, "anomalies")


def all_hotplug(data, tool):
    for name in ("vm-hyperv-all-hotplug", "server-suse-hotplug-sparse-16tb"):
        machine = tool.json(data / name)
        expect(len(anomalies(machine, "SRAT", "hot-pluggable")), 1, "anomaly of " + name)


def hotplug_beside_ram(data, tool):
    machine = tool.json(data / "server-hotplug-pxm-reordered")
    expect([n["pages"] > 0 for n in machine["nodes"]], [True, True] + 6 * [False], "RAM now")


def persistent_memory(data, tool):
    machine = tool.json(data / "server-pmem-gap-32m")
    expect([(n["pxm"], inclusive(n["ranges"])) for n in machine["nodes"]],
           [(0, [(0x100000000, 0x603fffffff)]), (4, [])], "nodes")


def orphan_ram(data, tool):
    folder = data / "old-x86-srat-only-above-4g"
    machine = tool.json(folder, folder / "e820.txt")
    expect(machine["orphan_pages"] * PAGE, 0xa0000 + 0x7ff00000, "RAM below 4 GiB")


def sixteen_sockets(data, tool):
    folder = data / "server-hp-16socket-12tb"
    machine = tool.json(folder, folder / "e820.txt")
    expect([inclusive(n["ranges"])[-1] for n in machine["nodes"]], facts.SIXTEEN_SOCKETS, "borders")
    expect([n["cpus"] for n in machine["nodes"]], 16 * [30], "CPUs")
    expect([p["workers"] for p in machine["plan"]], 16 * [30], "workers")
    expect(machine["memmap"]["remote_sections"], 0, "all of the memmap is local")


def hmat_of_four_nodes(data, tool):
    machine = tool.json(data / "server-intel-spr-hmat2-4node")
    expect(machine["distances"], facts.SPR_SLIT, "distances")
    expect({(b["initiator_pxm"], b["target_pxm"]): (b["read_latency_ns"], b["write_latency_ns"],
                                                    b["read_mbps"], b["write_mbps"])
            for b in machine["bandwidths"]}, facts.SPR_HMAT, "figures")


def every_madt(data, tool):
    """106 MADTs, each alone in a folder."""
    with open(data / "madt-corpus/expected.tsv") as lines:
        rows = list(csv.reader((line for line in lines if line[0] != "#"), delimiter="\t"))
    expect(len(rows) > 100, True, "rows")
    for row in rows:
        hwid, enabled = row[0], int(row[1]) + int(row[3])
        with folder_of({"apic": (data / "madt-corpus" / (hwid + ".dat")).read_bytes()}) as folder:
            machine = tool.json(folder)
        expect(machine["cpus_enabled"], enabled, "CPUs of " + hwid)


def tests(data):
    cases = []
    for folder in sorted(data.iterdir()):
        if not folder.is_dir() or folder.name == "madt-corpus":
            continue
        if (folder / "e820.txt").exists():
            cases.append((folder.name + " with its memory map", with_map, folder))
        if folder.name in facts.NO_TABLES:
            cases.append((folder.name + " alone", no_machine, folder))
        elif folder.name != "server-intel-spr-hmat2-4node":
            cases.append((folder.name, tables_alone, folder))
    for case in (first_of_two_srats, srat_with_zero_length_entry, empty_enabled_ranges,
                 all_hotplug, hotplug_beside_ram, persistent_memory, orphan_ram, sixteen_sockets,
                 hmat_of_four_nodes, every_madt):
        cases.append((case.__name__, case, data))
    return [("real: " + name, functools.partial(case, where)) for name, case, where in cases]
