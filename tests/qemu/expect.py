# SPDX-License-Identifier: GPL-2.0-only
"""What the declaration of a machine implies, in the kernel's own terms: its nodes are numbered by
ascending proximity domain."""
import dataclasses

import boot_information
import cmdline
import layout
import patch
import real_machine

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


def given_nodes(declared, nodes):
    """The nodes as the changed map and tables have them: RAM is what the map leaves of each node's.
    A machine without nodes has one, whose CPUs are those of the MADT and the boot CPU."""
    usable = boot_information.usable(declared.given.map)
    for node in nodes:
        node.ranges = overlap(usable, node.ranges) if declared.numa else usable
    if not declared.numa:
        nodes[0].apic_ids = sorted({0, *declared.given.cpus})
    folder = patch.arguments_of(declared.patch, "tables")
    facts = real_machine.facts(folder[0]) if folder else None
    if not facts or not facts.domains:
        return nodes
    return nodes_of_facts(facts, nodes[0].apic_ids, usable)


def start_page(declared):
    """Whether there is one below 1 MiB from which other CPUs can start; frame 0 is not used."""
    return not declared.given or bool(overlap(boot_information.usable(declared.given.map),
                                              [(layout.PAGE, layout.MIB)]))


def absent(declared):
    """How many CPUs that the MADT lists do not arrive: QEMU does not have them, or cannot start
    them."""
    there = {i for ids in layout.node_cpus(declared) for i in ids} if start_page(declared) else {0}
    return len({0, *declared.given.cpus} - there)


def startable(declared, machine, apic_mode):
    """How many are told to start: not the boot CPU, nor without x2APIC ids above 254."""
    ids = [i for node in machine.nodes for i in node.apic_ids if i]
    return sum(i < 0xff or apic_mode == "x2apic" for i in ids) if start_page(declared) else 0


def nodes_of_facts(facts, apic_ids, usable):
    """Of the domains that a real machine is known to have; CPUs and RAM of none are the first's."""
    nodes = [Node(pxm, [i for i in domain["cpus"] if i in apic_ids],
                  overlap(usable, real_machine.ranges(facts, pxm)))
             for pxm, domain in facts.domains.items()]
    known = {i for node in nodes for i in node.apic_ids}
    nodes[0].apic_ids += [i for i in apic_ids if i not in known]
    orphans = without(usable, [r for node in nodes for r in node.ranges])
    nodes[0].ranges = layout.merged(sorted(nodes[0].ranges + orphans))
    return nodes


def distances(declared, order, nodes):
    """Rows, and where they come from."""
    folder = patch.arguments_of(declared.patch, "tables") if declared.given else []
    facts = real_machine.facts(folder[0]) if folder else None
    if facts and facts.domains and facts.slit:
        return [[facts.slit[a.pxm][b.pxm] for b in nodes] for a in nodes], "slit"
    if declared.distance:
        return [[declared.distance[i][j] for j in order] for i in order], "slit"
    return [[10 if a is b else 20 for b in nodes] for a in nodes], "default"


def expected_machine(declared, append):
    """`declared` is a declaration.Machine."""
    order = sorted(range(len(declared.nodes)), key=lambda i: declared.nodes[i].pxm)
    ranges, cpus = layout.node_ranges(declared), layout.node_cpus(declared)
    if declared.machine.find("acpi=off") >= 0:
        cpus = [[0]]  # nobody names the others
    gone = declared.cut + declared.uncached + [(layout.address_limit(declared), 1 << 64)]
    nodes = [Node(declared.nodes[i].pxm, cpus[i], ranges[i]) for i in order]
    if declared.given:
        nodes = given_nodes(declared, nodes)
    for node in nodes:
        node.ranges = without(node.ranges, gone)
    rows, source = distances(declared, order, nodes)
    figures = {}
    if declared.latency:
        figures = {(a, b): (declared.bandwidth[i][j] or 0, declared.latency[i][j] or 0)
                   for a, i in enumerate(order) for b, j in enumerate(order)
                   if declared.nodes[i].cpus and declared.nodes[j].ram and
                   (declared.bandwidth[i][j] or declared.latency[i][j])}
    machine = Machine(nodes, rows, source, figures,
                      cmdline.options(f"{declared.cmdline} {append}"))
    machine.thread_bits = layout.id_bits(declared.threads)
    machine.boot_node = next(i for i, node in enumerate(nodes) if 0 in node.apic_ids)
    if machine.options.threads > max(len(node.apic_ids) for node in nodes):
        machine.options.threads = 0  # more than there are: named, and the default used
    for index, node in enumerate(nodes):
        if figures and node.ranges:
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
