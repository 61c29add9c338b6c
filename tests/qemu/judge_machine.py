# SPDX-License-Identifier: GPL-2.0-only
"""The machine that was found: memory, nodes, CPUs, distances, and where the memmap was put."""
from collections import Counter

import expect
import layout
import memmap
from checks import differ, ram, usable_ranges, within


def check_memory_map(declared, machine, firmware, stream):
    ranges = [(r["start"], r["end"]) for r in stream.of("range")]
    if any(start >= end for start, end in ranges) or any(
            a[1] > b[0] for a, b in zip(ranges, ranges[1:])):
        yield "range: expected disjoint ranges in ascending order"
    if any(address % layout.PAGE for r in ranges for address in r):
        yield "range: expected whole frames"
    installed = [r for node in machine.nodes for r in node.ranges]
    usable = usable_ranges(stream)
    yield from differ("usable pages outside of the RAM", 0,
                      expect.pages(usable) - expect.pages(expect.overlap(usable, installed)))
    most = expect.pages(installed) * layout.PAGE
    yield from within("usable bytes", most - expect.FIRMWARE_BYTES[firmware], most,
                      expect.pages(usable) * layout.PAGE)


def check_nodes(machine, stream, missing):
    records = stream.of("node")
    yield from differ("node numbers", list(range(len(machine.nodes))), [r["node"] for r in records])
    usable = usable_ranges(stream)
    online = Counter(r["node"] for r in stream.of("cpu") if r["online"])
    for record, node in zip(records, machine.nodes):
        name = f"node {record['node']}"
        yield from differ(f"{name} pxm", node.pxm, record["pxm"])
        yield from differ(f"{name} cpus", len(node.apic_ids), record["cpus"])
        yield from differ(f"{name} cpus_online", online[record["node"]], record["cpus_online"])
        yield from differ(f"{name} pages", expect.pages(expect.overlap(usable, node.ranges)),
                          record["pages"])
        yield from differ(f"{name} adopter", node.adopter, record["adopter"])
    yield from differ("CPUs online", sum(len(n.apic_ids) for n in machine.nodes) - missing,
                      sum(r["cpus_online"] for r in records))


def check_ram(machine, stream):
    """The `ram` records are the usable ranges, cut where nodes meet."""
    for index, node in enumerate(machine.nodes):
        came = sorted((r["start"], r["end"]) for r in stream.of("ram") if r["node"] == index)
        yield from differ(f"ram of node {index}",
                          sorted(expect.overlap(usable_ranges(stream), node.ranges)), came)


def check_ram_is_installed(machine, stream):
    """Its sections and pageblocks can be counted one by one only if so."""
    top = max(end for node in machine.nodes for _, end in node.ranges)
    for start, end, node in ram(stream):
        if not 0 <= start < end <= top:
            yield f"ram of node {node}: expected ranges below {top:#x}, came {start:#x} to {end:#x}"


def check_cpus(declared, machine, stream):
    expected = {apic: index for index, node in enumerate(machine.nodes) for apic in node.apic_ids}
    records = stream.of("cpu")
    yield from differ("apic_id: node", expected, {r["apic_id"]: r["node"] for r in records})
    yield from differ("cpu numbers", list(range(len(expected))), [r["cpu"] for r in records])
    yield from differ("boot CPUs", [0], [r["apic_id"] for r in records if r["boot"]])
    thread_bits = layout.id_bits(declared.threads)
    package_bits = thread_bits + layout.id_bits(declared.cores)
    for record in (r for r in records if r["online"]):
        apic_id = record["apic_id"]
        yield from differ(f"cpu {record['cpu']} package, core, thread",
                          (apic_id >> package_bits, apic_id >> thread_bits,
                           apic_id & ((1 << thread_bits) - 1)),
                          (record["package"], record["core"], record["thread"]))
        # QEMU's CPUs have one clock
        if "tsc_low_cycles" not in record:
            yield f"cpu {record['cpu']}: its TSC was compared with no other"
        elif not record["tsc_low_cycles"] <= 0 <= record["tsc_high_cycles"]:
            yield f"cpu {record['cpu']}: its TSC's bounds leave out 0"


def has_gib_pages(declared):
    return "-pdpe1gb" not in declared.cpu


def check_bringup(declared, machine, stream):
    bringup = stream.one("bringup")
    if not bringup:
        return
    others = sum(len(node.apic_ids) for node in machine.nodes) - 1
    yield from differ("bringup started", expect.startable(declared, machine, bringup["apic_mode"]),
                      bringup["started"])
    yield from differ("bringup arrived", others - declared.missing_cpus, bringup["arrived"])
    for record in stream.of("cpu"):
        came = record["online"] and not record["boot"]
        yield from within(f"cpu {record['cpu']} arrival_cycles", 1 if came else 0,
                          bringup["cycles"] if came else 0, record["arrival_cycles"])
    if bringup["apic_mode"] not in ("xapic", "x2apic"):
        yield f"apic_mode: came {bringup['apic_mode']}"
    yield from differ("direct_gib_pages", expect.whole_pages(usable_ranges(stream), layout.GIB)
                      if has_gib_pages(declared) else 0, bringup["direct_gib_pages"])


def check_distances(machine, stream):
    records = stream.of("distance")
    pairs = {(i, j): d for i, row in enumerate(machine.distance) for j, d in enumerate(row)}
    yield from differ("distance", pairs, {(r["from"], r["to"]): r["distance"] for r in records})
    yield from differ("distance source", {machine.distance_source}, {r["source"] for r in records})


def check_bandwidths(machine, stream):
    came = {(r["initiator"], r["target"]): r for r in stream.of("bandwidth")}
    yield from differ("bandwidth pairs", sorted(machine.bandwidth), sorted(came))
    for pair in sorted(machine.bandwidth.keys() & came.keys()):
        mbps, latency = machine.bandwidth[pair]
        for kind in ("read", "write"):
            yield from differ(f"{kind}_mbps of {pair}", mbps, came[pair][f"{kind}_mbps"])
            yield from differ(f"{kind}_latency_ns of {pair}", latency,
                              came[pair][f"{kind}_latency_ns"])


def check_memmap(declared, machine, stream):
    found = stream.one("memmap")
    if not found:
        return
    sections = len(memmap.homes(ram(stream)))
    yield from differ("memmap sections", sections, found["sections"])
    yield from differ("memmap pages", sections * memmap.SECTION_PAGES, found["pages"])
    yield from differ("memmap bytes", found["pages"] * memmap.STRUCT_PAGE, found["bytes"])
    yield from differ("memmap remote_sections", memmap.remote_sections(
        ram(stream), machine.options.place, machine.distance), found["remote_sections"])
    yield from differ("memmap place", machine.options.place, found["place"])
    largest = machine.options.vmemmap
    if largest == "1g" and not has_gib_pages(declared):
        largest = "2m"
    yield from differ("memmap pages of 4 KiB, 2 MiB, 1 GiB",
                      memmap.mapped_pages(ram(stream), largest),
                      tuple(found[f"mapped_{size}_pages"] for size in ("4k", "2m", "1g")))


def check(declared, machine, firmware, stream):
    yield from check_memory_map(declared, machine, firmware, stream)
    yield from check_nodes(machine, stream, declared.missing_cpus)
    yield from check_ram(machine, stream)
    yield from check_cpus(declared, machine, stream)
    yield from check_bringup(declared, machine, stream)
    yield from check_distances(machine, stream)
    yield from check_bandwidths(machine, stream)
    yield from check_memmap(declared, machine, stream)
