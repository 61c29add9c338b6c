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
    return made
