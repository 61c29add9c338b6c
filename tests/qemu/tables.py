# SPDX-License-Identifier: GPL-2.0-only
"""ACPI tables that QEMU does not make: nodes with odd numbers, and damaged ones."""
import struct

import layout

CPU_APIC, MEMORY, CPU_X2APIC = 0, 1, 2
ENABLED = 1


def table(signature, revision, body):
    """With its header [ACPI 6.5 5.2.6]; QEMU fills in the checksum."""
    return struct.pack("<4sIBB6s8sI4sI", signature, 36 + len(body), revision, 0, b"MEMLAB",
                       b"RUNNER  ", 1, b"LAB ", 1) + body


def srat_cpu(pxm, apic_id):
    """[ACPI 6.5 5.2.16.1]"""
    return struct.pack("<BBBBIB3sI", CPU_APIC, 16, pxm & 0xff, apic_id, ENABLED, 0,
                       (pxm >> 8).to_bytes(3, "little"), 0)


def srat_memory(pxm, start, end):
    """[ACPI 6.5 5.2.16.2]"""
    return struct.pack("<BBIHQQIIQ", MEMORY, 40, pxm, 0, start, end - start, 0, ENABLED, 0)


def srat(entries):
    return table(b"SRAT", 3, struct.pack("<IQ", 1, 0) + b"".join(entries))


def slit(rows):
    """[ACPI 6.5 5.2.17]; localities are proximity domains, those that do not exist are far."""
    return table(b"SLIT", 1, struct.pack("<Q", len(rows)) + b"".join(bytes(row) for row in rows))


def declared_srat(machine):
    entries = [srat_cpu(node.pxm, apic_id)
               for node, cpus in zip(machine.nodes, layout.node_cpus(machine)) for apic_id in cpus]
    entries += [srat_memory(node.pxm, start, end)
                for node, ranges in zip(machine.nodes, layout.node_ranges(machine))
                for start, end in ranges]
    return srat(entries)


def declared_slit(machine):
    count = max(node.pxm for node in machine.nodes) + 1
    rows = [[10 if i == j else 254 for j in range(count)] for i in range(count)]
    for node, distances in zip(machine.nodes, machine.distance):
        for other, distance in zip(machine.nodes, distances):
            rows[node.pxm][other.pxm] = distance
    return slit(rows)


def hmat_proximity(revision, initiator, memory):
    """[ACPI 6.5 5.2.29.3]; in revision 1 a flag more says that the memory is named by its domain
    [ACPI 6.2 5.2.27.3]."""
    return struct.pack("<HHIHHII20x", 0, 0, 40, 3 if revision == 1 else 1, 0, initiator, memory)


def hmat_matrix(data, base, initiators, targets, entries):
    """[ACPI 6.5 5.2.29.4], of the hierarchy "memory"."""
    count = len(initiators), len(targets)
    length = 32 + 4 * sum(count) + 2 * count[0] * count[1]
    return struct.pack(f"<HHIBBBBIIIQ{count[0]}I{count[1]}I{count[0] * count[1]}H", 1, 0, length, 0,
                       data, 0, 0, *count, 0, base, *initiators, *targets, *entries)


def hmat_unit(revision, latency):
    """A figure over it is the entry: ns come in ps in revision 2, both in tenths in revision 1.
    Bandwidths are given in tens of MB/s, since an entry has 16 bits."""
    if revision == 1:
        return 10 if latency else 100
    return 1000 if latency else 10


def declared_hmat(machine):
    """Access latency and bandwidth of every node with CPUs to every one with RAM."""
    nodes, revision = machine.nodes, machine.hmat
    sources = [i for i, node in enumerate(nodes) if node.cpus]
    targets = [i for i, node in enumerate(nodes) if node.ram]
    body = bytes(4)
    for i in targets:
        for initiator in [i] if nodes[i].cpus else nodes[i].initiators:
            body += hmat_proximity(revision, nodes[initiator].pxm, nodes[i].pxm)
    for data, rows, scale in ((0, machine.latency, 1), (3, machine.bandwidth, 10)):
        entries = [0xffff if rows[i][j] is None else rows[i][j] // scale
                   for i in sources for j in targets]
        body += hmat_matrix(data, hmat_unit(revision, data == 0), [nodes[i].pxm for i in sources],
                            [nodes[j].pxm for j in targets], entries)
    return table(b"HMAT", revision, body)


def hmat_long_matrix():
    """A matrix of 2^32 - 1 initiators in 48 bytes [ACPI 6.5 5.2.29.4]."""
    return table(b"HMAT", 2, bytes(4) + struct.pack("<HHIBBBBIIIQ", 1, 0, 48, 0, 3, 0, 0,
                                                    0xffffffff, 0xffffffff, 0, 1000) + bytes(8))


BROKEN = {
    "srat-zero-length": lambda machine: srat([struct.pack("<BB", MEMORY, 0) + bytes(38)]),
    "srat-short": lambda machine: srat([srat_memory(3, 0, 1 << 30)[:20]]),
    "slit-absurd": lambda machine: table(b"SLIT", 1, struct.pack("<Q", 1 << 40) + bytes(16)),
    "hmat-absurd": lambda machine: hmat_long_matrix(),
}


def made_for(machine):
    """(name, bytes) of the tables to add to QEMU's."""
    made = [(name, BROKEN[name](machine)) for name in machine.broken]
    if machine.own_tables:
        made.append(("srat", declared_srat(machine)))
        if machine.distance:
            made.append(("slit", declared_slit(machine)))
        if machine.hmat:
            made.append(("hmat", declared_hmat(machine)))
    return made
