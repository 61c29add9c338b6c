# SPDX-License-Identifier: GPL-2.0-only
"""Reads the decoded facts (expected.txt) that lie beside real tables."""

import re

PAGE = 4096


class Expected:
    """What a second parser found: domains in the order of their numbers, each with the APIC ids of
    its enabled CPUs and its enabled memory ranges as (start, end exclusive, flags)."""

    def __init__(self, text):
        self.madt_ids = None
        self.madt_disabled = 0
        self.domains = {}
        self.slit = []
        self.devices = [(0xa0000, 0x100000), (0xfec00000, 1 << 32)]  # never RAM on a PC
        self._read(text)

    def _read(self, text):
        table = pxm = None
        for line in text.splitlines():
            heading = re.match(r"(\S+): sig=(\S+)", line)
            if heading:
                # The second SRAT of a folder is the one that must not count.
                table = None if heading[1].startswith("srat2") else heading[2]
                continue
            counts = re.match(r"  MADT: lapic enabled (\d+)/(\d+) x2apic enabled (\d+)/(\d+)", line)
            if counts:
                numbers = [int(n) for n in counts.groups()]
                self.madt_disabled = numbers[1] - numbers[0] + numbers[3] - numbers[2]
            elif line.startswith("  enabled apic ids in table order: "):
                self.madt_ids = hex_list(line.split(": ")[1])
            elif table == "SLIT" and re.fullmatch(r"   [\d ]+", line):
                self.slit.append([int(word) for word in line.split()])
            elif table == "SRAT":
                pxm = self._read_srat(line, pxm)

    def _read_srat(self, line, pxm):
        domain = re.match(r"  pxm (\d+): \d+ cpus apic\[(.*)\]", line)
        memory = re.match(r"    mem 0x([0-9a-f]+) len 0x([0-9a-f]+) \(.*\)(.*)", line)
        if domain:
            pxm = int(domain[1])
            self.domains[pxm] = {"cpus": hex_list(domain[2]), "memory": []}
        elif memory:
            start, length = int(memory[1], 16), int(memory[2], 16)
            self.domains[pxm]["memory"].append((start, start + length, memory[3].split()))
        return pxm

    def apic_ids(self):
        if self.madt_ids is not None:
            return self.madt_ids
        return [i for pxm in sorted(self.domains) for i in self.domains[pxm]["cpus"]]

    def ram(self, pxm):
        """The ranges that stand in for RAM where there is no memory map, neighbours merged."""
        every = [m for d in self.domains.values() for m in d["memory"]
                 if m[1] > m[0] and "nonvolatile" not in m[2]]
        cold = [m for m in every if "hotplug" not in m[2]]
        merged = []
        pieces = [m[:2] for m in self.domains[pxm]["memory"] if m in cold]
        for low, high in self.devices:
            pieces = without(pieces, low, high)
        for start, end in sorted(pieces):
            if merged and merged[-1][1] == start:
                merged[-1] = (merged[-1][0], end)
            else:
                merged.append((start, end))
        return merged


def without(ranges, low, high):
    """(start, end) pairs without what lies in [low, high)."""
    return [piece for start, end in ranges
            for piece in ((start, min(end, low)), (max(start, high), end)) if piece[0] < piece[1]]


def hex_list(text):
    return [int(word, 16) for word in text.split(",") if word]
