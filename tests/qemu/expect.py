# SPDX-License-Identifier: GPL-2.0-only
"""What the declaration of a machine implies, in the kernel's own terms: its nodes are numbered by
ascending proximity domain."""
import dataclasses

import boot_information
import cmdline
import layout

# RAM that firmware may keep: below 1 MiB, and its tables; OVMF also its code, data and variables.
FIRMWARE_BYTES = {"pvh": 2 * layout.MIB, "bios": 2 * layout.MIB, "uefi": 160 * layout.MIB}


@dataclasses.dataclass
class Node:
    pxm: int
    apic_ids: list
    ranges: list        # of addresses, what the board gives it
    adopter: int = -1
    # the nodes whose CPUs the HMAT names for this one's RAM
    attached: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Machine:
    nodes: list
    distance: list              # rows
    distance_source: str
    bandwidth: dict             # (initiator, target): (MB/s, ns)
    options: cmdline.Options
    boot_node: int = 0
    thread_bits: int = 0        # of an APIC id
    given: dict = dataclasses.field(default_factory=dict)  # workers by (policy, node), if told


def adopter_of(machine, node):
    """The nearest node with CPUs: by distance, then read latency, then number."""
    def nearness(other):
        latency = machine.bandwidth.get((other, node), (0, 0))[1]
        return machine.distance[other][node], latency or float("inf"), other
    able = [i for i, other in enumerate(machine.nodes) if other.apic_ids]
    return min(able, key=nearness)


def given_ranges(declared, ranges):
    """What the changed memory map leaves of each node's; one machine without nodes takes it all."""
    usable = boot_information.usable(declared.given_map)
    return [overlap(usable, own) for own in ranges] if declared.numa else [usable]


def expected_machine(declared, append):
    """`declared` is a declaration.Machine."""
    order = sorted(range(len(declared.nodes)), key=lambda i: declared.nodes[i].pxm)
    ranges, cpus = layout.node_ranges(declared), layout.node_cpus(declared)
    if declared.machine.find("acpi=off") >= 0:
        cpus = [[0]]  # nobody names the others
    count = len(order)
    if declared.given_map is not None:
        ranges = given_ranges(declared, ranges)
    gone = declared.cut + declared.uncached + [(layout.address_limit(declared), 1 << 64)]
    nodes = [Node(declared.nodes[i].pxm, cpus[i], without(ranges[i], gone)) for i in order]
    rows = [[declared.distance[i][j] for j in order] for i in order] if declared.distance else [
        [10 if i == j else 20 for j in range(count)] for i in range(count)]
    figures = {}
    if declared.latency:
        figures = {(a, b): (declared.bandwidth[i][j] or 0, declared.latency[i][j] or 0)
                   for a, i in enumerate(order) for b, j in enumerate(order)
                   if declared.nodes[i].cpus and declared.nodes[j].ram and
                   (declared.bandwidth[i][j] or declared.latency[i][j])}
    machine = Machine(nodes, rows, "slit" if declared.distance else "default", figures,
                      cmdline.options(f"{declared.cmdline} {append}"))
    machine.thread_bits = layout.id_bits(declared.threads)
    machine.boot_node = next(i for i, node in enumerate(nodes) if 0 in node.apic_ids)
    if machine.options.threads > max(len(node.apic_ids) for node in nodes):
        machine.options.threads = 0  # more than there are: named, and the default used
    for index, node in enumerate(nodes):
        if declared.latency and node.ranges:
            source = declared.nodes[order[index]]
            node.attached = [index] if source.cpus else [order.index(i)
                                                         for i in source.initiators]
        if node.ranges and not node.apic_ids:
            node.adopter = adopter_of(machine, index)
    return machine


def pages(ranges):
    return sum(end - start for start, end in ranges) // layout.PAGE


def overlap(ranges, others):
    return [(max(a, c), min(b, d)) for a, b in ranges for c, d in others if max(a, c) < min(b, d)]


def without(ranges, cuts):
    for cut_start, cut_end in cuts:
        ranges = overlap(ranges, [(0, cut_start), (cut_end, 1 << 64)])
    return ranges


def whole_pages(ranges, size):
    """How many aligned pages of `size` bytes lie within the ranges."""
    return sum(max(0, end // size - -(-start // size)) for start, end in ranges)
