# SPDX-License-Identifier: GPL-2.0-only
"""ACPI tables made byte by byte, the text form of acpidump, and folders of them."""

import struct


def sdt(signature, body, revision=3):
    """A whole table with a right checksum."""
    header = struct.pack("<4sIBB6s8sI4sI", signature, 36 + len(body), revision, 0,
                         b"LAB   ", b"SYNTHET ", 1, b"LAB ", 1)
    return checksummed(header + body)


def checksummed(table):
    table = bytearray(table)
    table[9] = 0
    table[9] = -sum(table) & 0xff
    return bytes(table)


def madt(apic_ids, disabled=(), x2apic=(), tail=b""):
    """Local APIC entries (type 0) for apic_ids and disabled, type 9 for x2apic."""
    body = struct.pack("<II", 0xfee00000, 1)
    for number, apic_id in enumerate(list(apic_ids) + list(disabled)):
        enabled = number < len(apic_ids)
        body += struct.pack("<BBBBI", 0, 8, number, apic_id, enabled)
    for number, apic_id in enumerate(x2apic):
        body += struct.pack("<BBHIII", 9, 16, 0, apic_id, 1, number)
    return sdt(b"APIC", body + tail, 5)


HOTPLUG = 2
NONVOLATILE = 4


def srat_cpu(apic_id, pxm):
    return struct.pack("<BBBBIB3BI", 0, 16, pxm & 0xff, apic_id, 1, 0,
                       pxm >> 8 & 0xff, pxm >> 16 & 0xff, pxm >> 24, 0)


def srat_memory(start, length, pxm, flags=0):
    return struct.pack("<BBIHQQIIQ", 1, 40, pxm, 0, start, length, 0, 1 | flags, 0)


def srat(*entries):
    return sdt(b"SRAT", struct.pack("<IQ", 1, 0) + b"".join(entries))


def slit(rows):
    return sdt(b"SLIT", struct.pack("<Q", len(rows)) + bytes(sum(rows, [])), 1)


def hmat_matrix(data_type, base, initiators, targets, entries):
    body = struct.pack("<BBBBIIIQ", 0, data_type, 0, 0, len(initiators), len(targets), 0, base)
    body += b"".join(struct.pack("<I", pxm) for pxm in list(initiators) + list(targets))
    body += b"".join(struct.pack("<H", entry) for entry in entries)
    return struct.pack("<HHI", 1, 0, 8 + len(body)) + body


def hmat(*structures):
    return sdt(b"HMAT", bytes(4) + b"".join(structures), 2)


def acpidump_text(*tables):
    """What acpidump prints without -b."""
    lines = []
    for table in tables:
        lines.append("%s @ 0x00000000BFDC1000" % table[:4].decode())
        for at in range(0, len(table), 16):
            row = table[at:at + 16]
            shown = "".join(chr(b) if 32 <= b < 127 else "." for b in row)
            lines.append("    %04X: %-48s %s" % (at, "".join("%02X " % b for b in row), shown))
        lines.append("")
    return "\n".join(lines).encode() + b"\n"
